import { Name, resolve, type Dict } from '../objects/index.ts';
import { ENCODINGS, type CodeNames } from './glyph-names.ts';

/** What the dictionary of a simple font says about its encoding. */
export interface SimpleEncoding {
  /** Whether it says anything. */
  given: boolean;
  /** The encoding that is named, as the whole or as the base; `undefined` for the font's own. */
  base: string | undefined;
  /** Names by code that differ from the base. */
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

/** The names of all codes, those that neither the dictionary nor its base says being `fallback`'s. */
export function namesOf({ base, differences }: SimpleEncoding, fallback: CodeNames): CodeNames {
  const names = [...((base === undefined ? undefined : ENCODINGS[base]) ?? fallback)];
  for (const [code, glyph] of differences) names[code] = glyph;
  return names;
}
