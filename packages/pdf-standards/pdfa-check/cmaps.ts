import {
  decodeStream,
  Name,
  PdfStream,
  PdfString,
  readContent,
  type Dict,
  type PdfDocument,
} from '@platen/pdf/objects';
import type { CMap } from '@platen/pdf/fonts';
import { cmapOf } from '@platen/pdf/fonts';
import type { Findings } from './findings.ts';
import { isStandardCMap, supplementOf } from './standard-cmaps.ts';

const IDENTITY = /^Identity-[HV]$/;
const MAX_CID = 65_535;

/** A composite font to check, and how messages name it. */
interface Composite {
  font: Dict;
  descendant: Dict;
  label: string;
}

/**
 * Checks the CMap of a composite font: its character collection, its writing mode, its CIDs and the CMap that
 * it uses (ISO 19005-2 6.2.11.3).
 */
export function checkCMap(composite: Composite, document: PdfDocument, findings: Findings): void {
  const { font, label } = composite;
  const encoding = font.get('Encoding');
  if (encoding instanceof Name && IDENTITY.test(encoding.value)) return;
  const map = cmapOf(font, document);
  findings.expect(
    map !== undefined && hasSameCollection(composite, map, findings),
    'collections',
    `${label} has a CMap for a different character collection`,
  );
  if (!(encoding instanceof PdfStream)) return;
  findings.expect(
    (encoding.dict.number('WMode') ?? 0) === (map?.vertical === true ? 1 : 0),
    'cmaps',
    `${label} has a CMap whose writing mode differs in its dictionary and its data`,
  );
  findings.expect(
    largestCid(decodeStream(encoding, document.budget) ?? new Uint8Array()) <= MAX_CID,
    'limits',
    `${label} has a CMap with a CID above 65,535`,
  );
  const base = encoding.dict.get('UseCMap');
  findings.expect(
    base === undefined || (base instanceof Name && isStandardCMap(base.value)),
    'cmaps',
    `${label} has a CMap that uses another one that is not predefined`,
  );
}

/**
 * Tells whether the font and its CMap, by its dictionary and its data, name the same character collection.
 */
function hasSameCollection({ font, descendant }: Composite, map: CMap, { rules }: Findings): boolean {
  const own = descendant.dict('CIDSystemInfo');
  const [registry, ordering] = [own?.string('Registry')?.key, own?.string('Ordering')?.key];
  if (registry !== (map.registry ?? 'Adobe') || ordering !== map.ordering) return false;
  const encoding = font.get('Encoding');
  if (rules.part === 1) return true;
  const supplement = own?.number('Supplement') ?? 0;
  const covered =
    encoding instanceof PdfStream
      ? (encoding.dict.dict('CIDSystemInfo')?.number('Supplement') ?? 0)
      : supplementOf(font.name('Encoding') ?? '');
  return covered !== undefined && supplement <= covered;
}

/** Returns the largest CID to which the data of a CMap maps a code. */
function largestCid(data: Uint8Array): number {
  let largest = 0;
  for (const { operator, operands } of readContent(data)) {
    if (operator !== 'endcidrange' && operator !== 'endcidchar') continue;
    for (const [index, operand] of operands.entries()) {
      if (typeof operand !== 'number') continue;
      const [first, last] = [operands[index - 2], operands[index - 1]].map(codeOf);
      const length = operator === 'endcidrange' ? Math.max(0, (last ?? 0) - (first ?? 0)) : 0;
      largest = Math.max(largest, operand + length);
    }
  }
  return largest;
}

function codeOf(object: unknown): number {
  return object instanceof PdfString
    ? Number.parseInt(Buffer.from(object.bytes).toString('hex') || '0', 16)
    : 0;
}
