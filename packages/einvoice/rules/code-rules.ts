import { isCode } from '../data/codes.ts';
import { DataNode } from '../data/node.ts';
import { INVOICE, type CodeList, type GroupShape } from '../data/shape.ts';
import type { Findings } from '../findings.ts';
import { NOTE_SUBJECT } from '../xml/cii-binding.ts';
import { SEPA } from '../xml/cii-parts.ts';

/** The rule of each code list and the name of the list. */
const LISTS: Readonly<Record<CodeList, readonly [rule: string, name: string]>> = {
  documentType: ['BR-CL-01', 'UNTDID 1001'],
  currency: ['BR-CL-03', 'ISO 4217'],
  taxPoint: ['BR-CL-06', 'UNTDID 2005'],
  reference: ['BR-CL-07', 'UNTDID 1153'],
  subject: ['BR-CL-08', 'UNTDID 4451'],
  scheme: ['BR-CL-10', 'ISO/IEC 6523'],
  classification: ['BR-CL-13', 'UNTDID 7143'],
  country: ['BR-CL-14', 'ISO 3166-1'],
  payment: ['BR-CL-16', 'UNTDID 4461'],
  tax: ['BR-CL-17', 'UNTDID 5305'],
  allowance: ['BR-CL-19', 'UNTDID 5189'],
  charge: ['BR-CL-20', 'UNTDID 7161'],
  exemption: ['BR-CL-22', 'VATEX'],
  unit: ['BR-CL-23', 'UN/ECE recommendations 20 and 21'],
  mime: ['BR-CL-24', 'the media types of EN 16931'],
  endpoint: ['BR-CL-25', 'the Electronic Address Scheme'],
};

/** Values whose rule differs from the rule of their code list. */
const OWN_RULES: Readonly<Record<string, string>> = {
  'cbc:DocumentCurrencyCode': 'BR-CL-04',
  'cbc:TaxCurrencyCode': 'BR-CL-05',
  'cbc:CompanyID@schemeID': 'BR-CL-11',
  'cac:OriginCountry.cbc:IdentificationCode': 'BR-CL-15',
  'cac:ClassifiedTaxCategory.cbc:ID': 'BR-CL-18',
  'cac:StandardItemIdentification.cbc:ID@schemeID': 'BR-CL-21',
  'cac:DeliveryLocation.cbc:ID@schemeID': 'BR-CL-26',
};

/** The identifiers of the rules about codes. */
export const CODE_RULE_IDS: readonly string[] = [
  ...new Set([...Object.values(LISTS).map(([rule]) => rule), ...Object.values(OWN_RULES)]),
].toSorted();

/** The VAT category of split payment, which the code list of Factur-X 1.0.07 does not have. */
const SPLIT_PAYMENT = 'B';

interface CodeContext {
  isFacturX: boolean;
  findings: Findings;
}

/** Checks that codes are in their lists, which are shorter in Factur-X: BR-CL-01 to BR-CL-26. */
export function checkCodes(root: DataNode, context: CodeContext): void {
  checkGroup(root, INVOICE, context);
  checkNotes(root, context.findings);
}

/** Checks the subject codes of notes. UBL writes a code into the text of its note, as `#AAI#`. */
function checkNotes(root: DataNode, findings: Findings): void {
  for (const [index, note] of root.texts('cbc:Note').entries()) {
    const [, subject] = NOTE_SUBJECT.exec(note) ?? [];
    if (subject !== undefined && !isCode('subject', subject))
      findings.add('BR-CL-08', `${root.pathOf('cbc:Note')}[${index}]`, faultOf(subject, 'subject'));
  }
}

function checkGroup(node: DataNode, shape: GroupShape, context: CodeContext): void {
  const reasons = shape.name === 'cac:AllowanceCharge' ? reasonList(node) : undefined;
  for (const child of shape.children) {
    if (context.findings.isFull) return;
    if (child.kind === 'group') {
      for (const group of node.children(child.name)) checkGroup(group, child, context);
      continue;
    }
    const codes = child.name === 'cbc:AllowanceChargeReasonCode' ? reasons : child.codes;
    if (codes !== undefined) checkCode(node, child.name, { ...context, codes, parent: shape.name });
    for (const [name, list] of Object.entries(child.attributes))
      if (list !== undefined)
        checkCode(node, `${child.name}@${name}`, { ...context, codes: list, parent: shape.name });
  }
}

function reasonList(node: DataNode): CodeList | undefined {
  const indicator = node.text('cbc:ChargeIndicator');
  if (indicator === undefined) return undefined;
  return indicator === 'true' ? 'charge' : 'allowance';
}

function checkCode(
  node: DataNode,
  name: string,
  { codes, parent, isFacturX, findings }: CodeContext & { codes: CodeList; parent: string },
): void {
  const code = node.text(name);
  if (code === undefined) return;
  const isLeftOut = isFacturX && codes === 'tax' && code === SPLIT_PAYMENT;
  if (isCode(codes, code) && !isLeftOut) return;
  if (codes === 'scheme' && code === SEPA && parent === 'cac:PartyIdentification') return;
  const rule = OWN_RULES[`${parent}.${name}`] ?? OWN_RULES[name] ?? LISTS[codes][0];
  const fault = isLeftOut
    ? 'the VAT category B (split payment) is not in the code list of Factur-X: choose xrechnung, or write UBL'
    : faultOf(code, codes);
  findings.add(rule, node.pathOf(name), fault);
}

function faultOf(code: string, codes: CodeList): string {
  return `"${code.slice(0, 40)}" is not a code of ${LISTS[codes][1]}`;
}
