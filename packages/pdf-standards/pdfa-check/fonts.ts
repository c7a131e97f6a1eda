import { Dict, Name, PdfStream, resolve } from '@platen/pdf/objects';
import { isListedGlyphName } from '@platen/pdf/fonts';
import type { ContentUsage } from './content.ts';
import type { CheckContext, Findings } from './findings.ts';
import { isFontName } from '../limits/limits.ts';
import { SUBSET } from './glyph-lists.ts';
import { isStandardCMap } from './standard-cmaps.ts';

const TYPES = new Set(['Type1', 'MMType1', 'TrueType', 'Type3', 'Type0']);
const SYMBOLIC = 4;
/** The allowed subtypes of FontFile3, by the PDF version of the part. */
const FORMATS = {
  '1.4': new Set(['Type1C', 'CIDFontType0C']),
  '1.7': new Set(['Type1C', 'CIDFontType0C', 'OpenType']),
};

/**
 * Checks the dictionaries of the fonts of visible text, and that their programs are embedded (6.3.2 to
 * 6.3.7).
 */
export function checkFonts({ findings }: CheckContext, { fonts }: ContentUsage): void {
  for (const font of fonts.keys()) {
    const type = font.name('Subtype') ?? '';
    findings.expect(
      font.name('Type') === 'Font' && TYPES.has(type),
      'fontDictionaries',
      'a font dictionary has an unknown Type or Subtype',
    );
    if (type === 'Type3') checkWidths(font, 'a Type 3 font', findings);
    else if (type === 'Type0') checkComposite(font, findings);
    else checkSimple(font, type, findings);
  }
}

/**
 * Checks the names of the fonts of all text (ISO 19005-2 6.1.8). Refuses the UTF-8 names that veraPDF does
 * not recognize, although the standard allows them, because veraPDF confirms claims.
 */
export function checkFontNames({ findings }: CheckContext, { fonts, invisibleFonts }: ContentUsage): void {
  if (findings.rules.part === 1) return;
  for (const font of [...fonts.keys(), ...invisibleFonts.keys()]) {
    const descendant = resolve(font.array('DescendantFonts')?.[0]);
    for (const dict of [font, descendant])
      if (dict instanceof Dict)
        findings.expect(
          isFontName(dict.name('BaseFont') ?? ''),
          'names',
          'the name of a font is not UTF-8, or has characters of Latin-1 outside ASCII',
        );
  }
}

/** Names a font in a message: `the font Arial`. */
export function labelOf(font: Dict): string {
  const baseFont = font.name('BaseFont');
  return baseFont === undefined ? 'a font without BaseFont' : `the font ${baseFont.slice(0, 60)}`;
}

function checkWidths(font: Dict, label: string, findings: Findings): void {
  const [first, last] = [font.number('FirstChar'), font.number('LastChar')];
  const widths = font.array('Widths');
  findings.expect(
    first !== undefined && last !== undefined && widths?.length === last - first + 1,
    'fontDictionaries',
    `${label} does not have one width for each code from FirstChar to LastChar`,
  );
}

function checkSimple(font: Dict, type: string, findings: Findings): void {
  const label = labelOf(font);
  findings.expect(font.name('BaseFont') !== undefined, 'fontDictionaries', 'a font has no BaseFont');
  checkWidths(font, label, findings);
  const descriptor = font.dict('FontDescriptor');
  checkProgram(descriptor, label, findings);
  if (type !== 'TrueType') {
    if (findings.rules.part === 1 && SUBSET.test(font.name('BaseFont') ?? ''))
      findings.expect(
        descriptor?.string('CharSet') !== undefined,
        'subsets',
        `${label} is a subset that does not list its glyphs`,
      );
    return;
  }
  const symbolic = ((descriptor?.number('Flags') ?? 0) & SYMBOLIC) !== 0;
  const encoding = font.get('Encoding');
  if (symbolic)
    findings.expect(
      encoding === undefined || encoding === null,
      'encodings',
      `${label} is symbolic but has an Encoding`,
    );
  else {
    const base =
      encoding instanceof Dict
        ? encoding.name('BaseEncoding')
        : encoding instanceof Name
          ? encoding.value
          : '';
    findings.expect(
      base === 'MacRomanEncoding' || base === 'WinAnsiEncoding',
      'encodings',
      `${label} is nonsymbolic but its encoding is neither MacRomanEncoding nor WinAnsiEncoding`,
    );
    findings.expect(
      !(encoding instanceof Dict) || hasAllowedDifferences(encoding, findings),
      'encodings',
      `${label} is a nonsymbolic TrueType font whose encoding has Differences`,
    );
  }
}

/**
 * Tells whether the level allows the differences of an encoding. Part 1 allows none, parts 2 and 3 allow the
 * names of the Adobe Glyph List.
 */
function hasAllowedDifferences(encoding: Dict, { rules }: Findings): boolean {
  const names = (encoding.array('Differences') ?? []).filter((item) => item instanceof Name);
  if (rules.part === 1) return !encoding.map.has('Differences');
  return names.every(({ value }) => value === '.notdef' || isListedGlyphName(value));
}

function checkProgram(descriptor: Dict | undefined, label: string, findings: Findings): void {
  const program = ['FontFile', 'FontFile2', 'FontFile3']
    .map((key) => descriptor?.get(key))
    .find((value) => value instanceof PdfStream);
  findings.expect(program !== undefined, 'embedding', `${label} is not embedded`);
  const format = program?.dict.name('Subtype');
  const { version } = findings.rules;
  const formats = FORMATS[version];
  findings.expect(
    format === undefined || formats.has(format),
    'fontDictionaries',
    `${label} is embedded in a format that PDF ${version} does not define`,
  );
}

function checkComposite(font: Dict, findings: Findings): void {
  const label = labelOf(font);
  findings.expect(font.name('BaseFont') !== undefined, 'fontDictionaries', 'a font has no BaseFont');
  const [first] = font.array('DescendantFonts') ?? [];
  const descendant = resolve(first);
  if (!(descendant instanceof Dict)) {
    findings.add('fontDictionaries', `${label} has no descendant font`);
    return;
  }
  findings.expect(
    descendant.name('BaseFont') !== undefined,
    'fontDictionaries',
    `${label} has a descendant font without BaseFont`,
  );
  const encoding = font.get('Encoding');
  const identity = encoding instanceof Name && /^Identity-[HV]$/.test(encoding.value);
  findings.expect(
    identity ||
      encoding instanceof PdfStream ||
      (findings.rules.part > 1 && encoding instanceof Name && isStandardCMap(encoding.value)),
    'cmaps',
    `${label} has a CMap that is not embedded`,
  );
  const descriptor = descendant.dict('FontDescriptor');
  checkProgram(descriptor, label, findings);
  if (descendant.name('Subtype') === 'CIDFontType2') {
    const map = descendant.get('CIDToGIDMap');
    findings.expect(
      map instanceof PdfStream || (map instanceof Name && map.value === 'Identity'),
      'cidMaps',
      `${label} has no CIDToGIDMap`,
    );
  }
  if (findings.rules.part === 1 && SUBSET.test(descendant.name('BaseFont') ?? ''))
    findings.expect(
      descriptor?.get('CIDSet') instanceof PdfStream,
      'subsets',
      `${label} is a subset that does not list its glyphs`,
    );
}
