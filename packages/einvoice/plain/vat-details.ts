import { FORMAT } from '../data/read-data.ts';
import type { Findings } from '../findings.ts';
import { isTree, type Tree } from './read-plain.ts';
import { readTaxCategory } from './tax-category.ts';
import { hasValue } from './values.ts';

/** Checks that the VAT details of a line, discount or charge, which are computed, are those of its VAT. */
export function checkVatDetails(
  plain: Tree,
  category: unknown,
  at: { path: string; findings: Findings },
): void {
  const details = plain['vat_details'];
  // VAT that cannot be read has a finding of its own.
  if (!hasValue(details) || (hasValue(plain['vat']) && !isTree(category))) return;
  const read = isTree(details) ? readTaxCategory(details).group : undefined;
  const mapped = isTree(category) ? category : {};
  if (!read || read['cbc:ID'] !== mapped['cbc:ID'] || read['cbc:Percent'] !== mapped['cbc:Percent'])
    at.findings.add(
      FORMAT,
      `${at.path}.vat_details`,
      'must have the category and the rate of "vat", or be absent',
    );
}
