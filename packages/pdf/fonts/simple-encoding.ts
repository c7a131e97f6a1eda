import { Name, resolve, type Dict } from '../objects/index.ts';
import { ENCODINGS, type CodeNames } from './glyph-names.ts';

/** The encoding in the dictionary of a simple font. */
export interface SimpleEncoding {
  /** Whether the font dictionary has a known encoding name or an encoding dictionary. */
  given: boolean;
  /** The name of the encoding or base encoding; `undefined` for the built-in encoding. */
  base: string | undefined;
  /** The glyph names that differ from the base encoding, by code. */
  differences: ReadonlyMap<number, string>;
}

/** Reads the encoding of a simple font (ISO 32000-1 9.6.6). */
export function readEncoding(font: Dict): SimpleEncoding {
  const value = font.get('Encoding');
  if (value instanceof Name) {
    const known = ENCODINGS[value.value] ? value.value : undefined;
    return { given: known !== undefined, base: known, differences: new Map() };
  }
  const dict = font.dict('Encoding');
  if (!dict) return { given: false, base: undefined, differences: new Map() };
  const base = dict.name('BaseEncoding');
  const differences = new Map<number, string>();
  let code = 0;
  for (const item of dict.array('Differences') ?? []) {
    const part = resolve(item);
    if (typeof part === 'number') code = part;
    else if (part instanceof Name) {
      if (code >= 0 && code < 256) differences.set(code, part.value);
      code++;
    }
  }
  const known = base !== undefined && ENCODINGS[base] ? base : undefined;
  return { given: true, base: known, differences };
}

/** Returns the glyph names of all codes. Uses `fallback` if the dictionary names no base encoding. */
export function namesOf({ base, differences }: SimpleEncoding, fallback: CodeNames): CodeNames {
  const names = [...((base === undefined ? undefined : ENCODINGS[base]) ?? fallback)];
  for (const [code, glyph] of differences) names[code] = glyph;
  return names;
}
