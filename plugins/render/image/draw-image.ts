import type { TestMark } from '../../files/contract.ts';
import type { DocumentRequest } from '../contract.ts';
import type { PrintPdfJob } from '../print-pdf.ts';
import { requireNoFaults } from '../receipt/strict.ts';
import { toFinishFailure } from '../render-error.ts';
import type { Renderer } from '../renderer.ts';
import { resolveDocument, type DocumentParts } from '../source/resolve-document.ts';
import type { ImageSetup } from './image-setup.ts';

/** The services that {@link drawImage} uses. */
interface ImageParts extends DocumentParts {
  renderer: Pick<Renderer, 'capture'>;
  testMark: Pick<TestMark, 'markImage'>;
}

/**
 * Makes an image of a document without storing it.
 * @throws {RenderError} if the document cannot be drawn.
 * @throws {AppError} NOT_FOUND for an unknown template; RATE_LIMITED when the service is busy.
 */
export async function drawImage(
  parts: ImageParts,
  { accountId, urgency, receipt, image, setup, request, isTest }: PrintPdfJob & { image: ImageSetup },
): Promise<Uint8Array> {
  const padded = { ...request, styles: imageStyles(request) };
  const { document, assets, browser } = await resolveDocument(parts, { request: padded, accountId, receipt });
  receipt?.clock.enter('queue');
  const job = { accountId, urgency, document, setup: { ...setup, browser }, image, receipt, assets };
  const captured = await parts.renderer.capture(job);
  requireNoFaults(receipt, setup.requirements);
  if (!isTest) return captured.image;
  receipt?.clock.enter('assemble');
  const { format, quality } = image;
  const marked = parts.testMark.markImage(captured.image, { field: 'options.scale', format, quality });
  return marked.catch((error: unknown) => {
    throw toFinishFailure(error);
  });
}

/**
 * Adds a margin to Markdown, whose default style leaves it to the paper. The styles of the caller take
 * precedence.
 */
function imageStyles({ source, styles = '' }: DocumentRequest): string | undefined {
  return 'markdown' in source ? `${styles}\n:where(body) { padding: 32px }` : styles || undefined;
}
