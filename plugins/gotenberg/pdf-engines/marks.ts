import { TimeSlice } from '../../../src/plugin.ts';
import { invalidField } from './errors.ts';
import type { OperationStep } from '../../pdf-tools/contract.ts';
import { readMarkOptions, type MarkOptions } from './mark-options.ts';
import { pagesOfField, toRanges } from './page-selection.ts';
import type { Mark } from './processing.ts';

/** The size of a pixel of an image at its own size, which is a point in pdfcpu. */
const POINTS_PER_PIXEL = 0.75;

/**
 * Returns the steps that draw watermarks and stamps on a PDF with `count` pages.
 * @throws {AppError} VALIDATION_ERROR or NOT_IMPLEMENTED, which names the field
 */
export async function markSteps(
  kind: 'watermark' | 'stamp',
  marks: readonly Mark[],
  count: number,
): Promise<OperationStep[]> {
  const slice = new TimeSlice();
  const steps: OperationStep[] = [];
  for (const mark of marks) {
    if (slice.isOver) await slice.next();
    const options = readMarkOptions(`${kind}Options`, mark.options);
    const pages = pagesOfField(`${kind}Pages`, mark.pages, count);
    // No page is left of a selection of pages that the document does not have.
    if (pages.length > 0) steps.push(markStep(kind, { mark, options, pages: toRanges(pages) }));
  }
  return steps;
}

function markStep(
  kind: 'watermark' | 'stamp',
  { mark, options, pages }: { mark: Mark; options: MarkOptions; pages: string },
): OperationStep {
  const { scale, position, offset, rotation, opacity } = options;
  const { factor, isAbsolute } = scale;
  if (mark.source === 'text') return textStep(kind, { mark, options, pages });
  const size = isAbsolute
    ? { scale: mark.source === 'image' ? factor / POINTS_PER_PIXEL : factor }
    : { relative_size: factor };
  const file = { raw: mark.file };
  const shown = mark.source === 'image' ? { image: file } : { overlay: file };
  return { do: kind, ...shown, pages, position, offset, margin: 0, rotation, opacity, ...size };
}

/** The placeholders of pdfcpu for the number of the page and of the last page. */
const PLACEHOLDER = /%[pP]/;

function textStep(
  kind: 'watermark' | 'stamp',
  { mark, options, pages }: { mark: Mark; options: MarkOptions; pages: string },
): OperationStep {
  const { points, scale, position, offset, rotation, opacity, color } = options;
  const text = mark.expression.replaceAll(String.raw`\n`, '\n');
  if (text === '') throw invalidField(`${kind}Expression`, 'is required for text');
  const fontSize = Math.min(2_000, Math.max(1, points * (scale.isAbsolute ? scale.factor : 1)));
  if (PLACEHOLDER.test(text)) {
    // Page numbers are drawn level, opaque and over the page.
    const format = text.replaceAll('%p', '{{pageNumber}}').replaceAll('%P', '{{totalPages}}');
    return { do: 'number', format, pages, position, font_size: Math.min(200, fontSize), color };
  }
  const size = scale.isAbsolute ? { font_size: fontSize } : { relative_size: scale.factor };
  return { do: kind, text, color, pages, position, offset, margin: 0, rotation, opacity, ...size };
}
