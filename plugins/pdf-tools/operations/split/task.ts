import {
  forField,
  InputFault,
  openInput,
  readSplitSource,
  toResult,
  writePart,
  type Base64Pdf,
  type Result,
} from '@platen/pdf';
import { readRanges } from './ranges.ts';

/** What all parts of a split may have together: parts that overlap, or share much, can be many times the size of the whole. */
const MAX_PARTS_BYTES = 128_000_000;

/** Makes a document of each range of pages, or of each page. */
export function split({
  pdf,
  ranges,
}: {
  pdf: Base64Pdf;
  ranges: unknown[][] | undefined;
}): Result<Uint8Array[]> {
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
            `make parts of more than ${MAX_PARTS_BYTES} bytes together; ask for fewer at once`,
          );
        return part;
      });
    });
  });
}
