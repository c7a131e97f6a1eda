import type { Urgency } from '../../../src/plugin.ts';
import type { Assembly } from '../assembly.ts';
import { snippetPage, snippetSetup } from '../generations/snippet.ts';
import type { GenerateOptions } from '../print/schemas.ts';
import type { Renderer } from '../renderer.ts';
import { watermarkField } from './check-finish.ts';
import { markBox, markOf, setupOf } from './watermark.ts';

/** Draws the mark of the option `watermark`, and returns how to put it on the pages. @throws {RenderError} when drawing fails. */
export async function drawMark(
  renderer: Renderer,
  {
    watermark,
    ...job
  }: { watermark: NonNullable<GenerateOptions['watermark']>; accountId: string; urgency: Urgency },
): Promise<Assembly['watermark']> {
  const mark = markOf(watermark, watermarkField);
  const setup = setupOf('watermark', watermark);
  const field = watermarkField(mark);
  const path = 'options.watermark.';
  if (mark === 'overlay')
    return { ...setup, path, source: { pdf: watermark.overlay ?? '', area: 'pages', field } };
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
