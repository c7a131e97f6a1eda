import type { XmlElement } from '@platen/xml';
import { DataNode, ensureGroup, setValue, type Group } from '../data/node.ts';
import { profileOf, type Scope } from '../profiles.ts';
import { CII_INVOICE, NOTE_SUBJECT } from './cii-binding.ts';
import { SEPA } from './cii-parts.ts';
import { isOwnTotal } from '../totals/own-total.ts';
import { CII_NAMESPACES, qualifiedName, textBelow, type CiiNode } from './cii-node.ts';
import { writeXml, type OutElement } from './element.ts';

/** Writes an invoice as CII, limited to the terms of a scope. */
export function writeCii(invoice: Group, scope: Scope): Uint8Array {
  const root = new DataNode({ ...invoice, notes: notesOf(invoice) }, '');
  const [document] = elementsOf(CII_INVOICE, { data: root, root, scope });
  if (!document) throw new Error('an invoice has no content');
  const attributes = Object.entries(CII_NAMESPACES).map(([prefix, uri]) => [`xmlns:${prefix}`, uri] as const);
  return writeXml({ ...document, attributes });
}

/** Reads an invoice in CII. Unknown elements are ignored. */
export function readCii(document: XmlElement): Group {
  const invoice: Group = {};
  readChildren(document, CII_INVOICE, { group: invoice, root: invoice });
  const notes = new DataNode(invoice, '').children('notes').map((note) => {
    const subject = note.text('subject');
    return `${subject === undefined ? '' : `#${subject}#`}${note.text('text') ?? ''}`;
  });
  delete invoice['notes'];
  if (notes.length > 0) invoice['cbc:Note'] = notes;
  joinTaxTotals(invoice);
  joinPaymentMeans(invoice);
  return invoice;
}

/** Tells whether an element is the root of a CII invoice. */
export function isCii(root: XmlElement): boolean {
  return root.name === qualifiedName(CII_INVOICE.name);
}

/** Tells whether a CII invoice has the profile EXTENDED. */
export function isExtended(root: XmlElement): boolean {
  const guideline = 'ram:GuidelineSpecifiedDocumentContextParameter';
  const specification = textBelow(root, 'rsm:ExchangedDocumentContext', guideline, 'ram:ID');
  return profileOf(specification ?? '') === 'extended';
}

function notesOf(invoice: Group): Group[] {
  return new DataNode(invoice, '').texts('cbc:Note').map((note) => {
    const [prefix = '', subject] = NOTE_SUBJECT.exec(note) ?? [];
    return { text: note.slice(prefix.length), ...(subject !== undefined && { subject }) };
  });
}

interface Writing {
  data: DataNode;
  root: DataNode;
  scope: Scope;
}

function elementsOf(node: CiiNode, { data, root, scope }: Writing): OutElement[] {
  if (node.from > scope) return [];
  const groups = node.group === undefined ? [data] : data.children(node.group);
  const chosen = groups.filter((group) => node.when?.(group) ?? true);
  return (node.each ? chosen : chosen.slice(0, 1)).flatMap((group) => {
    const element = elementOf(node, { data: group, root, scope });
    return element ? [element] : [];
  });
}

function elementOf(node: CiiNode, writing: Writing): OutElement | undefined {
  const { name, children, value, codec, fixed, required } = node;
  if (fixed !== undefined) return { name, attributes: [], content: fixed };
  if (value !== undefined) {
    const text = textAt(value, writing);
    return text === undefined
      ? undefined
      : { name, attributes: attributesOf(node, writing), content: codec?.toXml(text) ?? text };
  }
  const content = (children ?? []).flatMap((child) =>
    elementsOf(child, writing).map((element) => ({ element, isFixed: child.fixed !== undefined })),
  );
  if (content.every(({ isFixed }) => isFixed) && !required) return undefined;
  return { name, attributes: [], content: content.map(({ element }) => element) };
}

function attributesOf({ attributes = {} }: CiiNode, writing: Writing): (readonly [string, string])[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if ('fixed' in attribute) return [[name, attribute.fixed] as const];
    const text = textAt(attribute.path, writing);
    return text === undefined ? [] : [[name, attribute.codec?.toXml(text) ?? text] as const];
  });
}

function textAt(path: string, { data, root }: Writing): string | undefined {
  return path.startsWith('/') ? root.text(path.slice(1)) : data.text(path);
}

interface Reading {
  group: Group;
  root: Group;
}

function readChildren(element: XmlElement, node: CiiNode, reading: Reading): void {
  const byName = new Map<string, XmlElement[]>();
  for (const child of element.children) {
    const list = byName.get(child.name);
    if (list) list.push(child);
    else byName.set(child.name, [child]);
  }
  for (const child of node.children ?? [])
    for (const found of byName.get(qualifiedName(child.name)) ?? [])
      if (child.accepts?.(found) ?? true) readElement(found, child, reading);
}

function readElement(element: XmlElement, node: CiiNode, { group, root }: Reading): void {
  if (node.fixed !== undefined) return;
  const reading = { root, group: node.group === undefined ? group : groupFor(group, node) };
  if (node.children) {
    readChildren(element, node, reading);
    return;
  }
  const text = element.text.trim();
  if (node.value === undefined || text === '') return;
  set(node.value, node.codec?.toData(text) ?? text, reading);
  for (const [name, attribute] of Object.entries(node.attributes ?? {})) {
    const value = element.attributes.get(name);
    if (!('path' in attribute) || value === undefined) continue;
    set(attribute.path, attribute.codec?.toData(value) ?? value, reading);
  }
  if (node.name === 'ram:CreditorReferenceID') set('cbc:ID@schemeID', SEPA, reading);
}

function set(path: string, value: string, { group, root }: Reading): void {
  if (path.startsWith('/')) setValue(root, path.slice(1), value);
  else setValue(group, path, value);
}

/** Returns the group that an element describes: a new item of a list, or the only group at the path. */
function groupFor(group: Group, { group: path = '', each }: CiiNode): Group {
  if (!each) return ensureGroup(group, path);
  const end = path.lastIndexOf('/');
  const parent = ensureGroup(group, path.slice(0, Math.max(end, 0)));
  const name = path.slice(end + 1);
  const list = parent[name];
  const added: Group = {};
  if (Array.isArray(list)) list.push(added);
  else parent[name] = list === undefined ? [added] : [list, added];
  return added;
}

/** Joins the VAT breakdown and the VAT total, which are separate elements in CII. */
function joinTaxTotals(invoice: Group): void {
  const node = new DataNode(invoice, '');
  const currency = node.text('cbc:DocumentCurrencyCode');
  const totals = node.children('cac:TaxTotal').map(({ group }) => group);
  const breakdown = totals.find((total) => total['cac:TaxSubtotal'] !== undefined);
  const amounts = totals.filter((total) => total !== breakdown);
  const own = amounts.find((total) => isOwnTotal(new DataNode(total, ''), currency));
  const joined = breakdown || own ? [{ ...own, ...breakdown }] : [];
  const all = [...joined, ...amounts.filter((total) => total !== own)];
  if (all.length > 0) invoice['cac:TaxTotal'] = all;
}

/**
 * Merges the remittance information, which CII writes before the payment means, into the first payment means.
 */
function joinPaymentMeans(invoice: Group): void {
  const node = new DataNode(invoice, '');
  const [first, second, ...others] = node.children('cac:PaymentMeans').map(({ group }) => group);
  if (!first || !second || first['cbc:PaymentMeansCode'] !== undefined) return;
  const mandates = [first, second].map((one) => new DataNode(one, '').child('cac:PaymentMandate')?.group);
  const mandate = { ...mandates[0], ...mandates[1] };
  const joined = { ...first, ...second };
  if (Object.keys(mandate).length > 0) joined['cac:PaymentMandate'] = mandate;
  invoice['cac:PaymentMeans'] = [joined, ...others];
}
