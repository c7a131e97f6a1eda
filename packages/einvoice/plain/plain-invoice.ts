import { DataNode, type Group } from '../data/node.ts';
import { readData } from '../data/read-data.ts';
import { INVOICE } from '../data/shape.ts';
import { Findings, type Finding } from '../findings.ts';
import type { InvoiceProfile } from '../profiles.ts';
import { completeInvoice } from '../totals/complete.ts';
import { lineDecimalsOf } from '../totals/currency.ts';
import { withAdvice } from './advice.ts';
import { completedPlain } from './completed.ts';
import { normalized } from './normalized.ts';
import { plainPath, valueAt } from './plain-path.ts';
import { isTree, type Tree } from './read-plain.ts';
import { addTaxInTaxCurrency, toUbl } from './to-ubl.ts';
import { hasValue } from './values.ts';

/** A plain invoice as UBL data, with the way back. */
export interface PlainInvoice {
  /** The UBL data, by the name of its root element. */
  ubl: Tree;
  /** Converts findings about the UBL data to findings about the plain invoice. */
  explain: (findings: readonly Finding[]) => Finding[];
  /** Returns the plain invoice with the values of the completed UBL data. */
  completed: (invoice: Group) => Tree;
}

/** Tells whether data has the plain shape, rather than that of UBL. */
export function isPlain(data: unknown): data is Tree {
  return isTree(data) && !Object.hasOwn(data, INVOICE.name) && Object.keys(data).length > 0;
}

/**
 * Reads a plain invoice. Adds findings with paths in it. Later findings are about the UBL data, and need
 * {@link PlainInvoice.explain}.
 */
export function readPlain(given: Tree, profile: InvoiceProfile, findings: Findings): PlainInvoice {
  const data = normalized(given);
  const currency = typeof data['currency'] === 'string' ? data['currency'] : undefined;
  const invoice = toUbl(data, { decimals: lineDecimalsOf(currency, profile), findings });
  const ubl = { [INVOICE.name]: invoice };
  if (findings.list.length === 0 && data['exchange_rate'] !== undefined)
    addTaxInTaxCurrency(data, invoice, { tax: taxOf(ubl, profile), findings });
  return {
    ubl,
    explain: (all) =>
      withoutConsequences(
        data,
        all.map(({ rule, message, path }) => ({
          rule,
          message: withAdvice(rule, message),
          path: plainPath(path, { data, ubl: invoice }),
        })),
      ),
    completed: (complete) => completedPlain(data, complete),
  };
}

const COMPUTED = /^(?:totals(?:\.|$)|lines\[\d+\]\.amount$)/;
const ALLOWANCE_AMOUNT = /^((?:discounts|charges)\[\d+\]|lines\[\d+\]\.discount)\.amount$/;

/** Tells whether the value at a path is computed: a total, or the amount of a line or of a percentage. */
function isComputed(path: string, data: Tree): boolean {
  if (valueAt(path, data) !== undefined) return false;
  const [, allowance] = ALLOWANCE_AMOUNT.exec(path) ?? [];
  return COMPUTED.test(path) || (allowance !== undefined && hasValue(valueAt(`${allowance}.percent`, data)));
}

/**
 * Removes the findings that others explain: without the price of a line, the invoice has no total either, and
 * amounts have the currency of the invoice.
 */
function withoutConsequences(data: Tree, findings: readonly Finding[]): Finding[] {
  const isWrongCurrency = findings.some(({ rule }) => rule === 'BR-CL-04');
  const causes = findings.filter(
    ({ rule, path }) => !(isWrongCurrency && rule === 'BR-CL-03') && !isComputed(path, data),
  );
  // A field may become several elements, which have the same finding.
  const distinct = new Map(
    (causes.length > 0 ? causes : findings).map((one) => [`${one.path} ${one.message}`, one]),
  );
  return [...distinct.values()];
}

/** Computes the VAT of an invoice in its own currency; `undefined` if the data is faulty. */
function taxOf(ubl: Tree, profile: InvoiceProfile): string | undefined {
  const findings = new Findings();
  const invoice = readData(ubl, findings);
  if (findings.list.length > 0) return undefined;
  completeInvoice(invoice, profile);
  return new DataNode(invoice, '').text('cac:TaxTotal/cbc:TaxAmount');
}
