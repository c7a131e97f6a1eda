import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CffProgram } from './cff.ts';
import type { Style } from './dictionary.ts';
import { openProgram } from './open-program.ts';
import { Bytes, DamagedFont, type Program } from './program.ts';
import { readCharacterMaps, readTables, type CharacterMap } from './sfnt.ts';
import { TrueTypeProgram } from './truetype.ts';

/** A font that can stand for one that a document does not bring. */
export interface Face {
  program: Program;
  /** The glyph of a character; 0 when it has none. */
  glyphOf(point: number): number;
}

/** Where systems keep fonts; the names of Debian's packages are those that the set-up installs. */
const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  '/Library/Fonts',
  '/System/Library/Fonts/Supplemental',
];
/** Files that are kept open between documents; the largest, of Chinese characters, has 20 MB. */
const MAX_OPEN = 12;
const MAX_FOLDERS = 2000;

/** Fonts for what those of the wanted style lack, by how many scripts they know. */
const OTHERS = [
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

/** The font of a collection of fonts for Chinese, Japanese and Korean that has the forms of a character collection. */
const CJK_INDEX: Readonly<Record<string, number>> = { Japan1: 0, Korea1: 1, GB1: 2, CNS1: 3 };

const open = new Map<string, Face | undefined>();
let files: Map<string, string> | undefined;

/** The fonts that a text in a missing font can be set in, the likest first. Those that the machine does not have are left out. */
export function facesFor(style: Style, narrow: boolean, collection: string | undefined): Face[] {
  const weight = style.bold ? (style.italic ? 'BoldItalic' : 'Bold') : style.italic ? 'Italic' : 'Regular';
  const family = style.fixedPitch ? 'Mono' : style.serif ? 'Serif' : narrow ? 'SansNarrow' : 'Sans';
  const cjk = `Noto${style.serif ? 'Serif' : 'Sans'}CJK-${style.bold ? 'Bold' : 'Regular'}.ttc`;
  const index = CJK_INDEX[collection ?? 'Japan1'] ?? 0;
  const own = [face(`Liberation${family}-${weight}.ttf`), face(`Liberation${family}-Regular.ttf`)];
  const wide = [face(cjk, index), face('NotoSansCJK-Regular.ttc', index)];
  const ordered = collection === undefined ? [...own] : [...wide, ...own];
  return [...new Set(ordered)].filter((one) => one !== undefined);
}

/** The fonts for what no font of the wanted style has. */
export function* otherFaces(): Iterable<Face> {
  for (const file of OTHERS) {
    const found = face(file);
    if (found) yield found;
  }
  const cjk = face('NotoSansCJK-Regular.ttc');
  if (cjk) yield cjk;
  for (const file of fontFiles().keys()) {
    const script = /^Noto(?:Sans|Serif)\w+-Regular\.[ot]tf$/.test(file) && !OTHERS.includes(file);
    const found = script ? face(file) : undefined;
    if (found) yield found;
  }
}

/** The fonts for Symbol and ZapfDingbats, which have glyphs with names of their own. */
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

/** Maps of all characters before maps of the first 65,536, before those that are not of Unicode. */
function rank({ platform, encoding }: CharacterMap): number {
  if (platform === 3 && encoding === 10) return 0;
  if (platform === 3 && encoding === 1) return 1;
  return platform === 0 && encoding !== 5 ? 2 : 3;
}

/** The font files of the machine by their names; read once. */
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
