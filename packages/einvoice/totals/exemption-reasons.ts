import type { DataNode, Group } from '../data/node.ts';
import { FORMAT } from '../data/read-data.ts';
import type { Findings } from '../findings.ts';
import { isOwnTotal } from './own-total.ts';
import { taxedParts } from './tax-buckets.ts';

const CODE = 'cbc:TaxExemptionReasonCode';
const TEXT = 'cbc:TaxExemptionReason';

/**
 * The standard exemption reasons of VAT categories: the codes of VATEX and their texts. Category E has none,
 * because its reason is a law of the seller's country.
 */
const STANDARD_REASONS: Readonly<Record<string, { code: string; text: string }>> = {
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
};

/** The VAT categories whose breakdown must have an exemption reason. */
export const EXEMPT: ReadonlySet<string> = new Set(['E', ...Object.keys(STANDARD_REASONS)]);

/** The exemption reasons by VAT category. */
export type ExemptionReasons = ReadonlyMap<string, Group>;

/**
 * Reads the exemption reasons of lines, allowances, charges and the given VAT breakdown: the first of each
 * category.
 */
export function exemptionReasons(invoice: DataNode): ExemptionReasons {
  const reasons = new Map<string, Group>();
  for (const { category, node } of reasonPlaces(invoice)) {
    const found = reasons.get(category) ?? {};
    for (const name of [CODE, TEXT]) {
      const value = node.text(name);
      if (value !== undefined) found[name] ??= value;
    }
    reasons.set(category, found);
  }
  return reasons;
}

/**
 * Adds a finding for each exemption reason that differs from an earlier one of its VAT category: EN 16931
 * allows one for each.
 */
export function checkReasons(invoice: DataNode, findings: Findings): void {
  const reasons = exemptionReasons(invoice);
  for (const { category, node } of reasonPlaces(invoice))
    for (const name of [CODE, TEXT]) {
      const value = node.text(name);
      const expected = reasons.get(category)?.[name];
      if (value !== undefined && value !== expected)
        findings.add(
          FORMAT,
          node.pathOf(name),
          `must be the same in all places: an invoice has one exemption reason for the category ${category}`,
        );
    }
}

/**
 * Removes the exemption reasons of lines, allowances and charges. In EN 16931, only the VAT breakdown has
 * them.
 */
export function removePartReasons(invoice: DataNode): void {
  for (const { node, path } of taxedParts(invoice)) {
    const group = node.child(path)?.group;
    delete group?.[CODE];
    delete group?.[TEXT];
  }
}

/**
 * Adds the given exemption reason to the category of a VAT breakdown, or the standard one if `usesStandard`
 * is true.
 */
export function fillReason(
  category: DataNode,
  { reasons, usesStandard }: { reasons: ExemptionReasons; usesStandard: boolean },
): void {
  const id = category.text('cbc:ID') ?? '';
  const standard = usesStandard ? STANDARD_REASONS[id] : undefined;
  const given = reasons.get(id);
  const text = given?.[TEXT] ?? (given?.[CODE] === undefined ? standard?.text : undefined);
  const code = given?.[CODE] ?? standard?.code;
  if (code !== undefined) category.group[CODE] ??= code;
  if (text !== undefined) category.group[TEXT] ??= text;
}

/** Returns the groups that can have an exemption reason, with their VAT category. */
function reasonPlaces(invoice: DataNode): { category: string; node: DataNode }[] {
  const currency = invoice.text('cbc:DocumentCurrencyCode');
  const subtotals = invoice
    .children('cac:TaxTotal')
    .filter((total) => isOwnTotal(total, currency))
    .flatMap((total) => total.children('cac:TaxSubtotal'));
  const nodes = [
    ...subtotals.map((subtotal) => subtotal.child('cac:TaxCategory')),
    ...taxedParts(invoice).map(({ node, path }) => node.child(path)),
  ];
  return nodes.flatMap((node) => {
    const category = node?.text('cbc:ID');
    return node && category !== undefined ? [{ category, node }] : [];
  });
}
