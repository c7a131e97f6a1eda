import type { Urgency } from '@platen/runtime';
import type { FilesService } from '../../files/contract.ts';
import { markBox, markOf, setupOf } from '../../documents/exports.ts';
import type { GenerateOptions } from '../../documents/contract.ts';
import type { PdfAssembly } from '../assemble-pdf.ts';
import { snippetPage, snippetSetup } from '../generations/snippet.ts';
import type { Renderer } from '../renderer.ts';
import { watermarkField } from './check-finish.ts';

/** The services that {@link drawMark} uses. */
export interface MarkParts {
  renderer: Renderer;
  pdfFiles: Pick<FilesService, 'loadField'>;
}

/**
 * Draws the mark of the option `watermark`, and returns how to put it on the pages.
 * @throws {RenderError} when drawing fails.
 * @throws {AppError} NOT_FOUND when the overlay is the id of an unknown file.
 */
export async function drawMark(
  { renderer, pdfFiles }: MarkParts,
  {
    watermark,
    ...job
  }: { watermark: NonNullable<GenerateOptions['watermark']>; accountId: string; urgency: Urgency },
): Promise<PdfAssembly['watermark']> {
  const mark = markOf(watermark, watermarkField);
  const setup = setupOf('watermark', watermark);
  const field = watermarkField(mark);
  const path = 'options.watermark.';
  if (mark === 'overlay') {
    // Nothing to reserve: memory holds at most one such file per document that is being printed.
    const request = { account: { id: job.accountId }, reserveMemory: () => {} };
    const loaded = await pdfFiles.loadField(request, field, watermark.overlay ?? '');
    const pdf = loaded instanceof Uint8Array ? { raw: loaded } : loaded;
    return { ...setup, path, source: { pdf, area: 'pages', field } };
  }
  const boxes = [markBox(watermark, watermarkField)];
  const printed = await renderer.print({
    ...job,
    document: snippetPage(boxes),
    setup: snippetSetup(boxes),
    snippet: true,
  });
  printed.release();
  return { ...setup, path, source: { pdf: { raw: printed.pdf }, area: 'link', field } };
}
