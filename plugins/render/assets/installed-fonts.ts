import { fontEnvironment } from '../browser/font-config.ts';
import type { AssetFont } from '../../assets/contract.ts';

/** A face of a family that is installed in the system or comes with Platen. */
export interface InstalledFace extends Pick<AssetFont, 'weight' | 'style'> {
  /** The width in percent, as CSS describes it. */
  stretch: string;
  /** The full names and the PostScript name, by which CSS finds the face with `local()`. */
  names: readonly string[];
}

/** The installed faces by the name of their family in lower case. */
export type InstalledFonts = ReadonlyMap<string, readonly InstalledFace[]>;

const SEPARATOR = '\u001f';
const FORMAT = ['family', 'style', 'weight', 'slant', 'width', 'fullname', 'postscriptname']
  .map((field) => `%{${field}}`)
  .join(SEPARATOR);

/** The weights of fontconfig and the weights of CSS. */
const WEIGHTS = [
  [0, 100],
  [40, 200],
  [50, 300],
  [75, 380],
  [80, 400],
  [100, 500],
  [180, 600],
  [200, 700],
  [205, 800],
  [210, 900],
  [215, 1000],
] as const;

/** The weights in the names of styles. Some light fonts state a wrong weight, which old programs need. */
const NAMED_WEIGHTS: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/\b(?:thin|hairline)\b/i, 100],
  [/\b(?:extra|ultra)[ -]?light\b/i, 200],
];

const ITALIC_SLANT = 100;
const OBLIQUE_SLANT = 110;

/**
 * Families that Chromium prints in place of each other, because their glyphs have the same widths
 * (`SkFontConfigInterface_direct.cpp` of Skia).
 */
const EQUIVALENTS: readonly (readonly string[])[] = [
  ['arial', 'arimo', 'liberation sans'],
  ['times new roman', 'liberation serif', 'tinos'],
  ['courier new', 'cousine', 'liberation mono'],
  ['georgia', 'gelasio'],
  ['calibri', 'carlito'],
  ['cambria', 'caladea'],
];

/** The fonts of each fontconfig file that has been read. */
const installed = new Map<string, Promise<InstalledFonts>>();

/** Reads the fonts of a fontconfig file, once; an empty map when fontconfig is not available. */
export function readInstalledFonts(fontConfig: string): Promise<InstalledFonts> {
  const read = installed.get(fontConfig) ?? listFonts(fontConfig).catch(() => new Map());
  installed.set(fontConfig, read);
  return read;
}

async function listFonts(fontConfig: string): Promise<InstalledFonts> {
  const list = Bun.spawn(['fc-list', '--format', `${FORMAT}\n`, ':scalable=true'], {
    stdout: 'pipe',
    stderr: 'ignore',
    env: fontEnvironment(fontConfig),
  });
  return parseFonts(await new Response(list.stdout).text());
}

/** Reads the output of `fc-list`. */
export function parseFonts(text: string): InstalledFonts {
  const families = new Map<string, InstalledFace[]>();
  for (const line of text.split('\n').toSorted()) {
    const [family = '', style = '', weight = '', slant = '', width = '', fullName = '', postScript = ''] =
      line.split(SEPARATOR);
    // The instances of a variable font and of its italic often share their PostScript names.
    const names = [...fullName.split(','), postScript].filter((name) => name !== '');
    const cssWeight = readWeight(weight, style);
    if (names.length === 0 || cssWeight === undefined) continue;
    const face = {
      weight: cssWeight,
      style: readStyle(Number(slant)),
      stretch: `${Number(width) || 100}%`,
      names,
    };
    for (const name of new Set(family.toLowerCase().split(',')))
      families.set(name, [...(families.get(name) ?? []), face]);
  }
  return families;
}

/** Returns the installed faces that Chromium prints for a family. */
export function facesOfFamily(fonts: InstalledFonts, family: string): readonly InstalledFace[] {
  const name = family.toLowerCase();
  const found = fonts.get(name);
  if (found) return found;
  const others = EQUIVALENTS.find((families) => families.includes(name)) ?? [];
  return others.map((other) => fonts.get(other)).find((faces) => faces !== undefined) ?? [];
}

/** Converts a weight, or the range of a variable font, `[0 210]`. */
function readWeight(text: string, style: string): string | undefined {
  const numbers = text.match(/\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  const [lowest, highest = lowest] = numbers;
  if (lowest === undefined || highest === undefined) return undefined;
  if (lowest !== highest) return `${toCssWeight(lowest)} ${toCssWeight(highest)}`;
  const [, named] = NAMED_WEIGHTS.find(([pattern]) => pattern.test(style)) ?? [];
  return String(named ?? toCssWeight(lowest));
}

function toCssWeight(weight: number): number {
  const above = WEIGHTS.findIndex(([from]) => from >= weight);
  const [high, highCss] = WEIGHTS[above] ?? [215, 1000];
  const [low, lowCss] = WEIGHTS[above - 1] ?? [high, highCss];
  if (high === low) return highCss;
  return Math.round(lowCss + ((highCss - lowCss) * (weight - low)) / (high - low));
}

function readStyle(slant: number): AssetFont['style'] {
  if (slant >= OBLIQUE_SLANT) return 'oblique';
  return slant >= ITALIC_SLANT ? 'italic' : 'normal';
}
