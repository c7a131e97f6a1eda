import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CffProgram } from './cff.ts';
import type { Style } from './descriptor.ts';
import { openProgram } from './open-program.ts';
import { Bytes } from './bytes.ts';
import { DamagedFont, type Program } from './program.ts';
import { readCharacterMaps, readTables, type CharacterMap } from './sfnt.ts';
import { TrueTypeProgram } from './truetype.ts';

/** An installed font, which can replace a font that is not embedded. */
export interface Face {
  program: Program;
  /** Returns the glyph of a character, or 0 if the font lacks the character. */
  glyphOf(point: number): number;
}

/** The font folders of Linux and macOS. */
const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/Library/Fonts',
  '/System/Library/Fonts/Supplemental',
];
/** The number of fonts that stay in memory between documents. The largest, a CJK font, takes 20 MB. */
const MAX_OPEN = 12;
const MAX_FOLDERS = 2000;

/**
 * Fallback fonts for characters that are missing from fonts of the requested style, with the widest coverage
 * first.
 */
const FALLBACKS = [
  'NotoSans-Regular.ttf',
  'DejaVuSans.ttf',
  'NotoSansSymbols-Regular.ttf',
  'NotoSansSymbols2-Regular.ttf',
  'NotoSansMath-Regular.ttf',
  'NotoSansHebrew-Regular.ttf',
  'NotoSansArabic-Regular.ttf',
  'NotoSansDevanagari-Regular.ttf',
  'NotoSansThai-Regular.ttf',
];

/** The index of the font for each character collection in the Noto CJK files. */
const CJK_INDEX: Readonly<Record<string, number>> = { Japan1: 0, Korea1: 1, GB1: 2, CNS1: 3 };

/** The opened fonts by file name and index; `undefined` for fonts that are missing or damaged. */
const open = new Map<string, Face | undefined>();
/** The paths of the installed font files by file name. */
let files: Map<string, string> | undefined;

/** Returns the installed substitutes for a font that is not embedded, with the best match first. */
export function facesFor(style: Style, narrow: boolean, collection: string | undefined): Face[] {
  const weight = style.bold ? (style.italic ? 'BoldItalic' : 'Bold') : style.italic ? 'Italic' : 'Regular';
  const family = style.fixedPitch ? 'Mono' : style.serif ? 'Serif' : narrow ? 'SansNarrow' : 'Sans';
  const cjk = `Noto${style.serif ? 'Serif' : 'Sans'}CJK-${style.bold ? 'Bold' : 'Regular'}.ttc`;
  const index = CJK_INDEX[collection ?? 'Japan1'] ?? 0;
  const latin = [face(`Liberation${family}-${weight}.ttf`), face(`Liberation${family}-Regular.ttf`)];
  const wide = [face(cjk, index), face('NotoSansCJK-Regular.ttc', index)];
  const ordered = collection === undefined ? latin : [...wide, ...latin];
  return [...new Set(ordered)].filter((found) => found !== undefined);
}

/** Yields the installed fallback fonts for characters that no font of the requested style has. */
export function* fallbackFaces(): Iterable<Face> {
  for (const file of FALLBACKS) {
    const found = face(file);
    if (found) yield found;
  }
  const cjk = face('NotoSansCJK-Regular.ttc');
  if (cjk) yield cjk;
  for (const file of fontFiles().keys()) {
    const isOther = /^Noto(?:Sans|Serif)\w+-Regular\.[ot]tf$/.test(file) && !FALLBACKS.includes(file);
    const found = isOther ? face(file) : undefined;
    if (found) yield found;
  }
}

/** Returns the bundled font for Symbol or ZapfDingbats, whose glyph names are not those of Latin fonts. */
export function symbolProgram(which: 'symbol' | 'dingbats'): CffProgram {
  const key = `foxit-${which}.cff`;
  const known = open.get(key);
  if (known?.program instanceof CffProgram) return known.program;
  const program = new CffProgram(readFileSync(new URL(`data/${key}`, import.meta.url)));
  keep(key, { program, glyphOf: () => 0 });
  return program;
}

function face(file: string, index = 0): Face | undefined {
  const key = `${file}#${index}`;
  if (open.has(key)) return open.get(key);
  const path = fontFiles().get(file);
  const found = path === undefined ? undefined : openFace(path, index);
  keep(key, found);
  return found;
}

/** Keeps an opened font in memory, and drops the oldest if there are too many. */
function keep(key: string, found: Face | undefined): void {
  open.set(key, found);
  const [oldest] = open.keys();
  if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
}

function openFace(path: string, index: number): Face | undefined {
  try {
    const tables = readTables(new Bytes(readFileSync(path)), index);
    const compact = tables.get('CFF ');
    const program = compact ? openProgram(compact.data).program : new TrueTypeProgram(tables);
    const maps = readCharacterMaps(tables.get('cmap')).maps.toSorted((a, b) => rank(a) - rank(b));
    return {
      program,
      glyphOf: (point) => {
        for (const map of maps) {
          const glyph = rank(map) < 3 ? map.glyph(point) : 0;
          if (glyph !== 0) return glyph;
        }
        return 0;
      },
    };
  } catch (error) {
    if (error instanceof DamagedFont) return undefined;
    throw error;
  }
}

/** Ranks character maps: 0 to 2 for Unicode maps, the most complete first, and 3 for all others. */
function rank({ platform, encoding }: CharacterMap): number {
  if (platform === 3 && encoding === 10) return 0;
  if (platform === 3 && encoding === 1) return 1;
  return platform === 0 && encoding !== 5 ? 2 : 3;
}

/** Lists the installed font files by name, once. */
function fontFiles(): Map<string, string> {
  if (files) return files;
  files = new Map();
  const waiting = [...FOLDERS];
  for (let count = 0, folder = waiting.pop(); folder !== undefined && count < MAX_FOLDERS; count++) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (!files.has(entry.name)) files.set(entry.name, path);
    }
    folder = waiting.pop();
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
