import { readFileSync } from 'node:fs';

let list: Map<string, string> | undefined;

/** Reads the Adobe Glyph List when it is first needed: most documents say themselves what their glyphs mean. */
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

/**
 * Tells what the name of a glyph means, `undefined` when it says nothing (Adobe Glyph List Specification 2). Also read are names by
 * which producers give the code alone, such as `g65` and `cid_12`, as nothing.
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
