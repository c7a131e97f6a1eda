import type { XmlElement } from '@platen/xml';
import { DataNode, type Group } from '../data/node.ts';
import { INVOICE, type GroupShape, type Shape, type ValueShape } from '../data/shape.ts';
import { writeXml, type OutElement } from './element.ts';
import { endSkonto } from './skonto.ts';

const INVOICE_NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2';
const CREDIT_NOTE_NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2';
const NAMESPACES: Readonly<Record<string, string>> = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
};

/** The document types (UNTDID 1001) that UBL writes as a CreditNote. */
const CREDIT_NOTES: ReadonlySet<string> = new Set(
  '81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' '),
);

/** The names of elements in a credit note that differ from those in an invoice. */
const CREDIT_NOTE_NAMES: Readonly<Record<string, string>> = {
  'cbc:InvoiceTypeCode': 'cbc:CreditNoteTypeCode',
  'cac:InvoiceLine': 'cac:CreditNoteLine',
  'cbc:InvoicedQuantity': 'cbc:CreditedQuantity',
};
const INVOICE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CREDIT_NOTE_NAMES).map(([name, other]) => [other, name]),
);

/** The elements whose position differs in a credit note, each with the element that it follows there. */
const CREDIT_NOTE_ORDER: Readonly<Record<string, string>> = {
  'cbc:TaxPointDate': 'cbc:IssueDate',
  'cac:OriginatorDocumentReference': 'cac:AdditionalDocumentReference',
};

/** Writes an invoice as UBL 2.1: a CreditNote if its document type is a credit note, otherwise an Invoice. */
export function writeUbl(data: Group): Uint8Array {
  const terms = new DataNode(data, '').text('cac:PaymentTerms/cbc:Note');
  const invoice =
    terms === undefined ? data : { ...data, 'cac:PaymentTerms': { 'cbc:Note': endSkonto(terms) } };
  const isCreditNote = CREDIT_NOTES.has(new DataNode(invoice, '').text('cbc:InvoiceTypeCode') ?? '');
  const content = isCreditNote
    ? childElements(creditNoteOf(invoice), { ...INVOICE, children: creditNoteShapes() }, CREDIT_NOTE_NAMES)
    : childElements(invoice, INVOICE, {});
  const attributes = [
    ['xmlns', isCreditNote ? CREDIT_NOTE_NAMESPACE : INVOICE_NAMESPACE] as const,
    ...Object.entries(NAMESPACES).map(([prefix, uri]) => [`xmlns:${prefix}`, uri] as const),
  ];
  return writeXml({ name: isCreditNote ? 'CreditNote' : 'Invoice', attributes, content });
}

/** Tells whether an element is the root of an invoice or credit note in UBL. */
export function isUbl(root: XmlElement): boolean {
  return [`${INVOICE_NAMESPACE} Invoice`, `${CREDIT_NOTE_NAMESPACE} CreditNote`].includes(root.name);
}

/** Reads an invoice or credit note in UBL. Unknown elements are ignored. */
export function readUbl(root: XmlElement): Group {
  const invoice = readGroup(root, INVOICE);
  const [means] = new DataNode(invoice, '').children('cac:PaymentMeans');
  const due = means?.group[PAYMENT_DUE.name];
  if (typeof due === 'string') invoice['cbc:DueDate'] ??= due;
  for (const one of new DataNode(invoice, '').children('cac:PaymentMeans'))
    delete one.group[PAYMENT_DUE.name];
  return invoice;
}

/**
 * Copies the due date to the payment means and the project to an additional reference, where a credit note
 * has them (CEN/TS 16931-3-2).
 */
function creditNoteOf(invoice: Group): Group {
  const node = new DataNode(invoice, '');
  const due = node.text('cbc:DueDate');
  const project = node.text('cac:ProjectReference/cbc:ID');
  const means = node.children('cac:PaymentMeans').map(({ group }) => group);
  const documents = node.children('cac:AdditionalDocumentReference').map(({ group }) => group);
  return {
    ...invoice,
    ...(due !== undefined && {
      'cac:PaymentMeans': means.map((one) => ({ ...one, [PAYMENT_DUE.name]: due })),
    }),
    ...(project !== undefined && {
      'cac:AdditionalDocumentReference': [...documents, { 'cbc:ID': project, 'cbc:DocumentTypeCode': '50' }],
    }),
  };
}

const PAYMENT_DUE: ValueShape = {
  kind: 'value',
  name: 'cbc:PaymentDueDate',
  type: 'date',
  many: false,
  codes: undefined,
  attributes: {},
};

function creditNoteShapes(): Shape[] {
  const shapes: Shape[] = [];
  const moved = INVOICE.children.filter(({ name }) => CREDIT_NOTE_ORDER[name] !== undefined);
  for (const shape of INVOICE.children) {
    if (['cbc:DueDate', 'cac:ProjectReference'].includes(shape.name) || moved.includes(shape)) continue;
    shapes.push(shape.name === 'cac:PaymentMeans' && shape.kind === 'group' ? withDueDate(shape) : shape);
    shapes.push(...moved.filter(({ name }) => CREDIT_NOTE_ORDER[name] === shape.name));
  }
  return shapes;
}

function withDueDate(shape: GroupShape): GroupShape {
  const [first, ...others] = shape.children;
  return { ...shape, children: first ? [first, PAYMENT_DUE, ...others] : others };
}

function childElements(
  group: Group,
  { children }: GroupShape,
  names: Readonly<Record<string, string>>,
): OutElement[] {
  return children.flatMap((shape) => {
    const found = group[shape.name];
    const list = found === undefined ? [] : Array.isArray(found) ? found : [found];
    const name = names[shape.name] ?? shape.name;
    return list.flatMap((one): OutElement[] => {
      if (shape.kind === 'group')
        return typeof one === 'object'
          ? nonEmpty({ name, attributes: [], content: childElements(one, shape, names) })
          : [];
      return typeof one === 'string' && one !== ''
        ? [{ name, attributes: attributesOf(group, shape), content: one }]
        : [];
    });
  });
}

function nonEmpty(element: OutElement): OutElement[] {
  return element.content.length === 0 ? [] : [element];
}

function attributesOf(group: Group, { name, attributes }: ValueShape): (readonly [string, string])[] {
  return Object.keys(attributes).flatMap((key) => {
    const value = group[`${name}@${key}`];
    return typeof value === 'string' && value !== '' ? [[key, value] as const] : [];
  });
}

function readGroup(element: XmlElement, shape: GroupShape): Group {
  const group: Group = {};
  const shapes = shape.name === 'cac:PaymentMeans' ? [...shape.children, PAYMENT_DUE] : shape.children;
  const byName = new Map(shapes.map((child) => [child.name, child]));
  for (const child of element.children) {
    const written = prefixed(child.name);
    const known = byName.get(written) ?? byName.get(INVOICE_NAMES[written] ?? '');
    if (!known) continue;
    const value = known.kind === 'group' ? readGroup(child, known) : child.text.trim();
    const list = group[known.name];
    if (!known.many) group[known.name] ??= value;
    else if (Array.isArray(list)) list.push(value);
    else group[known.name] = [value];
    if (known.kind === 'value' && !known.many)
      for (const key of Object.keys(known.attributes)) {
        const attribute = child.attributes.get(key);
        if (attribute !== undefined) group[`${known.name}@${key}`] ??= attribute;
      }
  }
  return group;
}

/** Returns the name of an element with the usual prefix of its namespace. */
function prefixed(name: string): string {
  const [uri = '', local = ''] = name.split(' ');
  const prefix = Object.keys(NAMESPACES).find((key) => NAMESPACES[key] === uri);
  return prefix === undefined ? local : `${prefix}:${local}`;
}
