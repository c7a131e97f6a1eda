import { resolve, type Dict, type PdfObject } from '../objects/index.ts';

/** The widths in a CIDFont dictionary, in thousandths of an em. */
export interface CidWidths {
  /** Returns the width of a CID. */
  of(cid: number): number;
}

/** Reads the widths of a CIDFont (ISO 32000-1 9.7.4.3). */
export function cidWidths(font: Dict): CidWidths {
  const missing = font.number('DW') ?? 1000;
  const singles = new Map<number, number>();
  const ranges: { first: number; last: number; width: number }[] = [];
  const list = (font.array('W') ?? []).map((item) => resolve(item));
  for (let at = 0; at + 1 < list.length;) {
    const first = list[at];
    const next = list[at + 1];
    if (typeof first !== 'number') {
      at++;
    } else if (Array.isArray(next)) {
      for (const [index, item] of next.entries()) {
        const width = resolve(item);
        if (typeof width === 'number') singles.set(first + index, width);
      }
      at += 2;
    } else {
      const width = list[at + 2];
      if (typeof next === 'number' && typeof width === 'number') ranges.push({ first, last: next, width });
      at += 3;
    }
  }
  return {
    of: (cid) =>
      singles.get(cid) ?? ranges.find(({ first, last }) => cid >= first && cid <= last)?.width ?? missing,
  };
}

/** Sets the widths of a CIDFont by CID, with consecutive CIDs in one array. */
export function writeCidWidths(font: Dict, widths: ReadonlyMap<number, number>): void {
  const list: PdfObject[] = [];
  let run: PdfObject[] = [];
  let after = -1;
  for (const [cid, width] of [...widths].toSorted(([a], [b]) => a - b)) {
    if (cid !== after) {
      run = [];
      list.push(cid, run);
    }
    run.push(Math.round(width * 1000) / 1000);
    after = cid + 1;
  }
  font.set('W', list);
}
