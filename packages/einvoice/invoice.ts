import { parseXml, type XmlElement } from '@platen/xml';
import { DataNode, type Group } from './data/node.ts';
import { FORMAT, readData } from './data/read-data.ts';
import { INVOICE } from './data/shape.ts';
import { Findings, type Finding } from './findings.ts';
import { isPlain, readPlain } from './plain/plain-invoice.ts';
import { profileOf, profileRules, type InvoiceProfile, type InvoiceSyntax } from './profiles.ts';
import { checkInvoice } from './rules/check.ts';
import { checkReasons } from './totals/exemption-reasons.ts';
import { checkMinorUnits } from './totals/minor-units.ts';
import { completeInvoice, fillDefaults } from './totals/complete.ts';
import { checkRounding } from './totals/rounding.ts';
import { checkSizes } from './totals/sizes.ts';
import type { CallerPath } from './totals/tax.ts';
import { isCii, isExtended, readCii, writeCii } from './xml/cii.ts';
import { extendedTerms, reduceExtended } from './xml/cii-extended.ts';
import { isUbl, readUbl, writeUbl } from './xml/ubl.ts';

/** The number of characters of a specification identifier that a message quotes. */
const MAX_SHOWN = 200;

/** The XML and the completed data of a valid invoice, or the findings of an invalid one. */
export type WrittenInvoice =
  | { findings?: undefined; xml: Uint8Array; data: object }
  | { findings: [Finding, ...Finding[]]; xml?: undefined; data?: undefined };

/**
 * Completes and checks the data of an invoice, and writes it as XML. The data is plain, or UBL by the names
 * of its elements. The completed data and the paths of findings have the same shape.
 */
export function writeInvoice(
  data: unknown,
  { profile, syntax = 'cii' }: { profile: InvoiceProfile; syntax?: InvoiceSyntax | undefined },
): WrittenInvoice {
  const findings = new Findings();
  const plain = isPlain(data) ? readPlain(data, profile, findings) : undefined;
  const invoice = readData(plain ? plain.ubl : data, findings);
  let callerPath: CallerPath = (path) => path;
  if (findings.list.length === 0) {
    checkMinorUnits(invoice, profile, findings);
    checkRounding(invoice, profile, findings);
    checkReasons(new DataNode(invoice, INVOICE.name), findings);
  }
  if (findings.list.length === 0) {
    callerPath = completeInvoice(invoice, profile);
    checkSizes(invoice, findings);
    if (findings.list.length === 0) checkInvoice(invoice, { profile, syntax }, findings);
  }
  const found = findings.list.map((one) => ({ ...one, path: callerPath(one.path) }));
  const [first, ...others] = plain ? plain.explain(found) : found;
  if (first) return { findings: [first, ...others] };
  const { scope } = profileRules(profile);
  return {
    xml: syntax === 'ubl' ? writeUbl(invoice) : writeCii(invoice, scope),
    data: plain ? plain.completed(invoice) : { [INVOICE.name]: invoice },
  };
}

/** An invoice that was read. */
export interface ReadInvoice {
  /** The specification identifier (BT-24). */
  specification: string | null;
  /** The profile of the identifier; `null` if it is unknown. */
  profile: InvoiceProfile | null;
  syntax: InvoiceSyntax | null;
  /** The data in the shape that {@link writeInvoice} takes; `null` if the XML is not an invoice. */
  data: object | null;
  /** The violated rules: those of EN 16931 if the specification identifier is unknown. */
  findings: Finding[];
  /** Whether the invoice obeys all rules; `null` if its rules are unknown. */
  valid: boolean | null;
  /** Why `valid` is `null`. */
  message?: string;
}

/**
 * Reads and checks an invoice in CII or UBL. Checks an invoice with an unknown specification identifier by
 * the rules of EN 16931, which cannot decide whether it is valid.
 */
export function readInvoice(xml: string): ReadInvoice {
  const root = parseXml(xml.replace(/^\ufeff/, '').trim());
  const syntax = root && syntaxOf(root);
  if (root && isZugferd1(root))
    return {
      ...unreadableInvoice(''),
      findings: [],
      valid: null,
      message: 'the invoice is in ZUGFeRD 1.0, which cannot be checked',
    };
  if (!root || !syntax)
    return unreadableInvoice('must be a Cross Industry Invoice (D16B) or an invoice in UBL 2.1');
  const extended = syntax === 'cii' && isExtended(root) ? extendedTerms(root) : undefined;
  const raw = syntax === 'cii' ? readCii(extended ? reduceExtended(root) : root) : readUbl(root);
  const findings = new Findings();
  const invoice = readData({ [INVOICE.name]: raw }, findings, true);
  fillDefaults(invoice);
  const specification = new DataNode(invoice, '').text('cbc:CustomizationID') ?? null;
  const profile = profileOf(specification ?? '') ?? null;
  const rules = { profile: profile ?? undefined, syntax, adjustment: extended?.adjustment };
  checkInvoice(invoice, rules, findings);
  const data = { [INVOICE.name]: clean(invoice) };
  const read = { specification, profile, syntax, data, findings: findings.list };
  if (profile === null && specification !== null) {
    const message = `the specification identifier ${specification.slice(0, MAX_SHOWN)} is unknown, so the rules of the invoice cannot be checked`;
    return { ...read, valid: null, message };
  }
  if (extended?.hasSubLines && findings.list.length === 0)
    return {
      ...read,
      valid: null,
      message: 'the rules of lines that belong to other lines cannot be checked',
    };
  return { ...read, valid: findings.list.length === 0 };
}

/** Returns the result for an invoice that cannot be read. */
export function unreadableInvoice(message: string): ReadInvoice {
  const findings = [{ rule: FORMAT, path: '', message }];
  return { specification: null, profile: null, syntax: null, data: null, findings, valid: false };
}

/** Tells whether an element is the root of an invoice in ZUGFeRD 1.0 or one of its drafts. */
function isZugferd1({ name }: XmlElement): boolean {
  return name.endsWith(' CrossIndustryDocument');
}

function syntaxOf(root: XmlElement): InvoiceSyntax | undefined {
  if (isCii(root)) return 'cii';
  return isUbl(root) ? 'ubl' : undefined;
}

/** Removes the absent values of a group, because JSON cannot express them. */
function clean(group: Group): Group {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));
}
