import {
  compressedStream,
  decodeStream,
  Dict,
  name,
  PdfStream,
  readContent,
  Ref,
  resolve,
  type PdfObject,
} from '@platen/pdf/objects';
import type { FontContext, FontUse } from './font-use.ts';
import { STANDARD_ENCODING } from '@platen/pdf/fonts';
import { namesOf, readEncoding } from '@platen/pdf/fonts';
import { simpleWidths, writeWidths } from '@platen/pdf/fonts';

/**
 * Makes a Type 3 font conform (ISO 19005-1 6.3.2, 6.3.5, 6.3.6): every shown code has a glyph procedure that
 * declares the width in the dictionary, which readers use to place the following text.
 */
export function repairType3Font({ font, strings }: FontUse, context: FontContext): void {
  font.set('Type', name('Font'));
  const codes = [...new Set([...strings].flatMap((text) => [...Buffer.from(text, 'latin1')]))];
  const encoding = readEncoding(font);
  const names = namesOf(encoding, encoding.given ? [] : STANDARD_ENCODING);
  const procedures = (font.dict('CharProcs') ?? new Dict()).copy();
  const differences = new Map(encoding.differences);
  const widths = simpleWidths(font);
  for (const code of codes) {
    const named = names[code];
    const width = widths.of(code) ?? 0;
    const glyph = named === undefined || named === '.notdef' ? `g${code}` : named;
    differences.set(code, glyph);
    const stream = resolve(procedures.raw(glyph));
    if (!(stream instanceof PdfStream))
      procedures.set(glyph, compressedStream(Buffer.from(`${width} 0 d0\n`)));
    else repairProcedure(stream, width, procedures.raw(glyph), context);
  }
  font.set('CharProcs', procedures);
  font.set('Encoding', Dict.of({ Type: name('Encoding'), Differences: inOrder(differences) }));
  writeWidths(font, widths, codes);
}

/** Builds the value of `Differences`, in the order of the codes. */
function inOrder(differences: ReadonlyMap<number, string>): PdfObject[] {
  const list: PdfObject[] = [];
  let after = -1;
  for (const [code, glyph] of [...differences].toSorted(([a], [b]) => a - b)) {
    if (code !== after) list.push(code);
    list.push(name(glyph));
    after = code + 1;
  }
  return list;
}

/** Corrects the width that a glyph procedure declares, or declares the width. */
function repairProcedure(
  stream: PdfStream,
  width: number,
  ref: PdfObject | undefined,
  { document }: FontContext,
): void {
  const content = decodeStream(stream, document.budget);
  if (!content || !(ref instanceof Ref)) return;
  for (const { operator, operands, start, end } of readContent(content)) {
    if (operator !== 'd0' && operator !== 'd1') continue;
    const [declared, ...rest] = operands;
    if (typeof declared === 'number' && Math.abs(declared - width) <= 0.9) return;
    const numbers = rest.map((value) => (typeof value === 'number' ? value : 0));
    const text = `${width} ${numbers.join(' ')} ${operator}`;
    const parts = [content.subarray(0, start), Buffer.from(text, 'latin1'), content.subarray(end)];
    ref.value = rewritten(stream, parts);
    return;
  }
  ref.value = rewritten(stream, [Buffer.from(`${width} 0 d0\n`), content]);
}

function rewritten({ dict }: PdfStream, parts: readonly Uint8Array[]): PdfStream {
  return new PdfStream(dict.copy().delete('DecodeParms', 'Length', 'Filter'), Buffer.concat(parts));
}
