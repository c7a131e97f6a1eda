import { Dict, Name, PdfStream, resolve } from '../../objects/index.ts';
import type { ContentUsage } from './content.ts';
import type { CheckContext, Findings } from './findings.ts';

const TYPES = new Set(['Type1', 'MMType1', 'TrueType', 'Type3', 'Type0']);
const SYMBOLIC = 4;
const SUBSET = /^[A-Z]{6}\+/;

/** Checks the dictionaries of the fonts of visible text, and that their programs are embedded (6.3.2 to 6.3.7). */
export function checkFonts({ findings }: CheckContext, { fonts }: ContentUsage): void {
  for (const font of fonts.keys()) {
    const type = font.name('Subtype') ?? '';
    findings.expect(
      font.name('Type') === 'Font' && TYPES.has(type),
      '6.3.2',
      'a font dictionary has an unknown Type or Subtype',
    );
    if (type === 'Type3') checkWidths(font, 'a Type 3 font', findings);
    else if (type === 'Type0') checkComposite(font, findings);
    else checkSimple(font, type, findings);
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
    '6.3.2',
    `${label} does not have one width for each code from FirstChar to LastChar`,
  );
}

function checkSimple(font: Dict, type: string, findings: Findings): void {
  const label = labelOf(font);
  findings.expect(font.name('BaseFont') !== undefined, '6.3.2', 'a font has no BaseFont');
  checkWidths(font, label, findings);
  const descriptor = font.dict('FontDescriptor');
  checkProgram(descriptor, label, findings);
  if (type !== 'TrueType') {
    if (SUBSET.test(font.name('BaseFont') ?? ''))
      findings.expect(
        descriptor?.string('CharSet') !== undefined,
        '6.3.5',
        `has a font that does not list its glyphs (${label})`,
      );
    return;
  }
  const symbolic = ((descriptor?.number('Flags') ?? 0) & SYMBOLIC) !== 0;
  const encoding = font.get('Encoding');
  if (symbolic)
    findings.expect(
      encoding === undefined || encoding === null,
      '6.3.7',
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
      '6.3.7',
      `${label} is nonsymbolic but its encoding is neither MacRomanEncoding nor WinAnsiEncoding`,
    );
    findings.expect(
      !(encoding instanceof Dict) || !encoding.map.has('Differences'),
      '6.3.7',
      `${label} is a nonsymbolic TrueType font whose encoding has Differences`,
    );
  }
}

function checkProgram(descriptor: Dict | undefined, label: string, findings: Findings): void {
  const program = ['FontFile', 'FontFile2', 'FontFile3']
    .map((key) => descriptor?.get(key))
    .find((value) => value instanceof PdfStream);
  findings.expect(program !== undefined, '6.3.4', `${label} is not embedded`);
  const format = program?.dict.name('Subtype');
  findings.expect(
    format === undefined || format === 'Type1C' || format === 'CIDFontType0C',
    '6.3.2',
    `${label} is embedded in a format that PDF 1.4 does not define`,
  );
}

function checkComposite(font: Dict, findings: Findings): void {
  const label = labelOf(font);
  findings.expect(font.name('BaseFont') !== undefined, '6.3.2', 'a font has no BaseFont');
  const [first] = font.array('DescendantFonts') ?? [];
  const descendant = resolve(first);
  if (!(descendant instanceof Dict)) {
    findings.add('6.3.2', `${label} has no descendant font`);
    return;
  }
  const encoding = font.get('Encoding');
  const identity = encoding instanceof Name && /^Identity-[HV]$/.test(encoding.value);
  findings.expect(
    identity || encoding instanceof PdfStream,
    '6.3.3.3',
    `${label} has a CMap that is not embedded`,
  );
  if (encoding instanceof PdfStream) checkSystems(encoding.dict, descendant, label, findings);
  const descriptor = descendant.dict('FontDescriptor');
  checkProgram(descriptor, label, findings);
  if (descendant.name('Subtype') === 'CIDFontType2') {
    const map = descendant.get('CIDToGIDMap');
    findings.expect(
      map instanceof PdfStream || (map instanceof Name && map.value === 'Identity'),
      '6.3.3.2',
      `${label} has no CIDToGIDMap`,
    );
  }
  if (SUBSET.test(descendant.name('BaseFont') ?? ''))
    findings.expect(
      descriptor?.get('CIDSet') instanceof PdfStream,
      '6.3.5',
      `has a font that does not list its glyphs (${label})`,
    );
}

function checkSystems(map: Dict, descendant: Dict, label: string, findings: Findings): void {
  const own = descendant.dict('CIDSystemInfo');
  const other = map.dict('CIDSystemInfo');
  const same = ['Registry', 'Ordering'].every((key) => own?.string(key)?.key === other?.string(key)?.key);
  findings.expect(same, '6.3.3.1', `${label} has a CMap for a different character collection`);
}
