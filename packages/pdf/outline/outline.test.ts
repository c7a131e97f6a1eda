import { describe, expect, test } from 'bun:test';
import { InputFault, PdfDocument, PdfError } from '../objects/index.ts';
import { plainPdf } from '../tests/plain-pdf.ts';
import { OUTLINE_LIMITS, readOutlineEntries, setOutline } from './outline.ts';

const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>';

/** A file with two pages, and the objects of an outline from number 5. */
const outlined = (...objects: string[]) =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R/PageMode/UseOutlines/Outlines 5 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    page,
    page,
    ...objects,
  ]);
const bare = outlined('<</Type/Outlines>>');

/** Returns the field and the message of the fault of an outline. */
function faultOf(items: unknown): string {
  try {
    setOutline(open(bare), items, 'set');
  } catch (error) {
    if (error instanceof InputFault) return `${error.field}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('setOutline', () => {
  test('writes what readOutlineEntries reads', () => {
    const items = [
      {
        title: 'Übersicht 目次',
        page: 1,
        children: [{ title: 'A', page: 2, children: [{ title: 'B', page: 1 }] }],
      },
      { title: 'End', page: 2 },
    ];
    expect(readOutlineEntries(open(setOutline(open(bare), items, 'set')))).toEqual(items);
  });

  test('removes the outline with an empty list', () => {
    const written = setOutline(open(bare), [{ title: 'Secret', page: 1 }], 'set');
    const removed = setOutline(open(written), [], 'set').toString('latin1');
    expect(removed).not.toContain('Outlines');
    expect(removed).not.toContain('Secret');
  });

  test('names the item that is not valid', () => {
    const ok = { title: 'x', page: 1 };
    expect(faultOf('x')).toStartWith('set: must be a list');
    expect(faultOf([ok, { title: 'x', page: 3 }])).toBe(
      'set[1].page: must be an integer from 1 to 2: the PDF has 2 pages',
    );
    expect(faultOf([{ ...ok, children: [ok, { title: ' ', page: 1 }] }])).toStartWith(
      'set[0].children[1].title: ',
    );
    expect(faultOf([{ ...ok, colour: 1 }])).toBe('set[0].colour: is unknown');
    expect(faultOf([ok, null])).toStartWith('set[1]: must be an object');
    let deep: object = ok;
    for (let level = 0; level < OUTLINE_LIMITS.depth; level++) deep = { ...ok, children: [deep] };
    expect(faultOf([deep])).toContain('is nested more than 20 levels deep');
    expect(faultOf(Array.from({ length: OUTLINE_LIMITS.items + 1 }, () => ok))).toContain('may have 50000');
  });
});

describe('readOutlineEntries', () => {
  test('reads each item of a cyclic outline once', () => {
    const pdf = outlined(
      '<</First 6 0 R/Last 6 0 R>>',
      '<</Title(a)/Next 7 0 R/First 6 0 R/Dest[4 0 R/Fit]>>',
      '<</Title(b)/Next 6 0 R/First 7 0 R/A<</S/URI/URI(http://x)>>>>',
    );
    expect(readOutlineEntries(open(pdf))).toEqual([
      { title: 'a', page: 2 },
      { title: 'b', page: null },
    ]);
  });

  test('rejects an outline whose items share one long title', () => {
    const items = Array.from({ length: 300 }, (_, index) => `<</Title 6 0 R/Next ${index + 8} 0 R>>`);
    const pdf = outlined('<</First 7 0 R>>', `(${'x'.repeat(100_000)})`, ...items);
    expect(() => readOutlineEntries(open(pdf))).toThrow(PdfError);
  });
});
