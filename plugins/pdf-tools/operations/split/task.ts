import {
  forField,
  InputFault,
  openInput,
  readSplitSource,
  toResult,
  writePart,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { readRanges } from './ranges.ts';

/**
 * The maximum total size of all parts. Overlapping parts, or parts with shared resources, can be many times
 * larger than the whole file.
 */
const MAX_PARTS_BYTES = 128_000_000;

/** Creates a document for each range of pages, or for each page if there are no ranges. */
export function split({
  pdf,
  ranges,
}: {
  pdf: PdfSource;
  ranges: unknown[][] | undefined;
}): Result<{ pdf: Uint8Array; pages: number }[]> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const source = readSplitSource(document);
      let sizeBytes = 0;
      return readRanges(ranges, source.pages.length).map((range) => {
        const part = writePart(source, range);
        sizeBytes += part.length;
        if (sizeBytes > MAX_PARTS_BYTES)
          throw new InputFault(
            'ranges',
            `would create more than ${MAX_PARTS_BYTES} bytes in total; request fewer parts`,
          );
        return { pdf: part, pages: range.last - range.first + 1 };
      });
    });
  });
}
