import { readFileSync } from 'node:fs';

let list: Map<string, string> | undefined;

/** Loads the Adobe Glyph List on first use, because most documents have ToUnicode maps. */
function glyphList(): Map<string, string> {
  if (list) return list;
  list = new Map();
  const text = readFileSync(new URL('data/glyphlist.txt', import.meta.url), 'latin1');
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [glyph = '', codes = ''] = line.trim().split(';');
    if (glyph !== '') list.set(glyph, fromHex(codes.split(' ')));
  }
  return list;
}

/** Tells whether the Adobe Glyph List itself has a glyph name, and not only a rule for it. */
export function isListedGlyphName(glyph: string): boolean {
  return glyphList().has(glyph);
}

/**
 * Returns the Unicode text of a glyph name (Adobe Glyph List Specification, 2). Returns `undefined` for
 * unknown names, such as `g65` and `cid_12`.
 */
export function unicodeOfName(glyph: string): string | undefined {
  const known = glyphList().get(glyph);
  if (known !== undefined) return known;
  const base = /^([^.]+)\./.exec(glyph)?.[1] ?? glyph;
  if (base.includes('_')) {
    const parts = base.split('_').map(unicodeOfName);
    return parts.includes(undefined) ? undefined : parts.join('');
  }
  if (base !== glyph) return unicodeOfName(base);
  const uni = /^uni((?:[0-9A-F]{4})+)$/.exec(base)?.[1];
  if (uni !== undefined) return fromHex(uni.match(/.{4}/g) ?? []);
  const single = /^u([0-9A-F]{4,6})$/.exec(base)?.[1];
  return single === undefined ? undefined : fromHex([single]);
}

function fromHex(codes: readonly string[]): string {
  const points = codes.map((code) => Number.parseInt(code, 16)).filter((point) => point <= 0x10_ffff);
  return String.fromCodePoint(...points).toWellFormed();
}
