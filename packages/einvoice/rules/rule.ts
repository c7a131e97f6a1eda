import { DataNode, type Group } from '../data/node.ts';
import { INVOICE } from '../data/shape.ts';
import { Decimal } from '../decimal.ts';
import type { InvoiceProfile, InvoiceSyntax, Scope } from '../profiles.ts';
import { taxBuckets } from '../totals/tax-buckets.ts';

/** A business rule. */
export interface Rule {
  /** The identifier in EN 16931 or its extension, such as `BR-CO-10`. */
  id: string;
  /** The requirement as a sentence with "must". */
  message: string;
  /** The rule applies to profiles with this scope or a larger one; 0 when absent. */
  from?: Scope;
  /** Returns the paths in the data that violate the rule. */
  faults: (invoice: InvoiceView) => readonly string[];
}

/** The parts of an invoice that rules check. */
export interface InvoiceView {
  root: DataNode;
  profile: InvoiceProfile;
  scope: Scope;
  syntax: InvoiceSyntax;
  lines: readonly DataNode[];
  /** Document level allowances and charges. */
  allowances: readonly DataNode[];
  charges: readonly DataNode[];
  lineAllowances: readonly DataNode[];
  lineCharges: readonly DataNode[];
  /** The VAT breakdown. */
  breakdown: readonly DataNode[];
  totals: DataNode;
  seller: DataNode;
  buyer: DataNode;
  currency: string | undefined;
  /** The sums of lines, allowances and charges by VAT category and rate. */
  sums: ReadonlyMap<string, { sum: Decimal; count: number }>;
  /** The sum of the adjustments of the amount due, which only the profile EXTENDED has. */
  adjustment: Decimal;
  /** Whether sums over the lines can be checked. */
  hasLines: boolean;
}

/** Stands in for a required part that the invoice omits. */
const EMPTY_GROUP: Group = {};

/** Collects the parts of an invoice. */
export function viewInvoice(
  group: Group,
  {
    profile,
    scope,
    syntax,
    adjustment = Decimal.zero,
  }: Pick<InvoiceView, 'profile' | 'scope' | 'syntax'> & { adjustment?: Decimal | undefined },
): InvoiceView {
  const root = new DataNode(group, INVOICE.name);
  const lines = root.children('cac:InvoiceLine');
  const ofDocument = root.children('cac:AllowanceCharge');
  const ofLines = lines.flatMap((line) => line.children('cac:AllowanceCharge'));
  const partOf = (path: string) => root.child(path) ?? new DataNode(EMPTY_GROUP, root.pathOf(path));
  return {
    root,
    profile,
    scope,
    syntax,
    lines,
    allowances: ofDocument.filter(isAllowance),
    charges: ofDocument.filter(isCharge),
    lineAllowances: ofLines.filter(isAllowance),
    lineCharges: ofLines.filter(isCharge),
    breakdown: root.children('cac:TaxTotal').flatMap((total) => total.children('cac:TaxSubtotal')),
    totals: partOf('cac:LegalMonetaryTotal'),
    seller: partOf('cac:AccountingSupplierParty/cac:Party'),
    buyer: partOf('cac:AccountingCustomerParty/cac:Party'),
    currency: root.text('cbc:DocumentCurrencyCode'),
    sums: taxBuckets(root),
    adjustment,
    hasLines: scope >= 2 || lines.length > 0,
  };
}

function isAllowance(node: DataNode): boolean {
  return node.text('cbc:ChargeIndicator') === 'false';
}

function isCharge(node: DataNode): boolean {
  return node.text('cbc:ChargeIndicator') === 'true';
}

/** Chooses the groups that a rule checks. */
export type Select = (invoice: InvoiceView) => readonly (DataNode | undefined)[];

/** Reports each group without a value at any of `paths`, under the first of them. */
export function missing(select: Select, ...paths: readonly [string, ...string[]]): Rule['faults'] {
  return (invoice) =>
    select(invoice).flatMap((node) =>
      node && paths.every((path) => node.text(path) === undefined) ? [node.pathOf(paths[0])] : [],
    );
}

/** Reports each VAT category at `path` without a code, or without the tax scheme VAT. */
export function missingCategory(select: Select, path: string): Rule['faults'] {
  return rejected(
    select,
    `${path}/cbc:ID`,
    (node) =>
      node.text(`${path}/cbc:ID`) === undefined || node.text(`${path}/cac:TaxScheme/cbc:ID`) !== 'VAT',
  );
}

/** Reports each group without a group at `path`. */
export function missingGroup(select: Select, path: string): Rule['faults'] {
  return (invoice) =>
    select(invoice).flatMap((node) => (node && !node.child(path) ? [node.pathOf(path)] : []));
}

/** Reports `path` in each group for which `isFault` returns true. */
export function rejected(
  select: Select,
  path: string,
  isFault: (node: DataNode, invoice: InvoiceView) => boolean,
): Rule['faults'] {
  return (invoice) =>
    select(invoice).flatMap((node) => (node && isFault(node, invoice) ? [node.pathOf(path)] : []));
}

/** Reports `path` if `isFault` returns true for the invoice. */
export function rejectedAs(path: string, isFault: (invoice: InvoiceView) => boolean): Rule['faults'] {
  return (invoice) => (isFault(invoice) ? [invoice.root.pathOf(path)] : []);
}
