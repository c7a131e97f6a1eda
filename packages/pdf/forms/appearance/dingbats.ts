import { PdfStream, type Direct } from '../../objects/index.ts';
import type { Unpack } from '../fields/options.ts';
import { drawMark, isKnownMark } from './button-mark.ts';

/** The offset of a ZapfDingbats glyph from its origin, relative to the font size. */
const ORIGIN = { x: -0.08, y: -0.13 };
const SIDE = 0.95;

/**
 * Replaces a ZapfDingbats character in an appearance with its outline, because the font is not embedded and
 * some readers do not have it. Returns `undefined` if the appearance shows anything else.
 */
export function withoutDingbats(appearance: Direct | undefined, unpack: Unpack): PdfStream | undefined {
  if (!(appearance instanceof PdfStream)) return undefined;
  const bytes = unpack(appearance);
  const content = bytes && Buffer.from(bytes).toString('latin1');
  const found = content && findTextObject(content);
  if (!found || content.indexOf('BT', found.end) >= 0) return undefined;
  const { text } = found;
  if (!usesDingbats(appearance, text)) return undefined;
  const drawn = drawText(text);
  if (drawn === undefined) return undefined;
  const whole = content.slice(0, found.start) + drawn + content.slice(found.end);
  return new PdfStream(appearance.dict.copy().delete('Filter', 'DecodeParms'), Buffer.from(whole, 'latin1'));
}

/** Finds the first text object: its start, its end, and the operators between `BT` and `ET`. */
function findTextObject(content: string): { start: number; end: number; text: string } | undefined {
  const start = content.search(/\bBT\b/);
  if (start < 0) return undefined;
  const rest = content.slice(start + 2);
  const length = rest.search(/\bET\b/);
  return length < 0 ? undefined : { start, end: start + 2 + length + 2, text: rest.slice(0, length) };
}

/** The resource names that readers give to ZapfDingbats, for fonts missing from the resources. */
const COMMON_NAME = /^Za[A-Z]/;

function usesDingbats({ dict }: PdfStream, text: string): boolean {
  const [, key = ''] = /\/([^\s/[\]()<>]+)\s+[\d.]+\s+Tf\b/.exec(text) ?? [];
  if (key === '' || (text.match(/\bTf\b/g)?.length ?? 0) > 1) return false;
  const font = dict.dict('Resources')?.dict('Font')?.dict(key);
  if (!font) return COMMON_NAME.test(key);
  return font.name('BaseFont') === 'ZapfDingbats' && !font.map.has('FontDescriptor');
}

function drawText(text: string): string | undefined {
  const sizes = /(?:^|[^\d.])([\d.]+)\s+Tf\b/.exec(text);
  const shown = /\((.)\)\s*Tj|<([0-9a-f]{2})>\s*Tj/i.exec(text);
  const size = Number(sizes?.[1]);
  const sign = shown?.[1] ?? String.fromCharCode(Number.parseInt(shown?.[2] ?? '0', 16));
  if (!(size > 0) || !isKnownMark(sign) || /\bTm\b|\bT\*|'|"/.test(text)) return undefined;
  let [x, y] = [0, 0];
  for (const [, right, up] of text.matchAll(/(?:^|[^\d.])(-?[\d.]+)\s+(-?[\d.]+)\s+T[dD]\b/g)) {
    x += Number(right);
    y += Number(up);
  }
  const colors = [...text.matchAll(/(?:^|[^\d.])((?:[\d.]+\s+){1,4}(?:g|rg|k))\b/g)].map(
    ([, color]) => `${color} `,
  );
  const outline = drawMark(sign, { x: x + ORIGIN.x * size, y: y + ORIGIN.y * size, side: SIDE * size });
  return `q ${colors.join('')}${outline} f Q`;
}
