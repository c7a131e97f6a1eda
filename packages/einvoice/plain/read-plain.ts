import { FORMAT, MAX_LINES } from '../data/read-data.ts';
import type { Findings } from '../findings.ts';
import { readAccount } from './account.ts';
import { isGroup, PLAIN_INVOICE, type Field, type FieldGroup } from './fields.ts';
import { readTaxCategory } from './tax-category.ts';
import { unitCode, unknownUnit } from './units.ts';

/** Data by name: a plain invoice, or UBL data that is being built. */
export interface Tree {
  [name: string]: unknown;
}

/** The names of document types, with their codes in UNTDID 1001. */
const TYPES: Readonly<Record<string, string>> = {
  invoice: '380',
  credit_note: '381',
  correction: '384',
  prepayment: '386',
  partial: '326',
  self_billed: '389',
};
/** The names of payment means, with their codes in UNTDID 4461. */
const MEANS: Readonly<Record<string, string>> = {
  credit_transfer: '30',
  sepa_credit_transfer: '58',
  direct_debit: '49',
  sepa_direct_debit: '59',
  card: '48',
  cash: '10',
  cheque: '20',
  online: '68',
};
const CODE = /^[0-9A-Z]{1,3}$/;
const MAX_SHOWN_KEY = 100;
const MAX_ITEMS = 1_000;

interface ReadContext {
  /** The path in the plain data. */
  path: string;
  /** The UBL element that the values belong to. */
  tree: Tree;
  /** The whole UBL data. */
  invoice: Tree;
  findings: Findings;
}

/**
 * Copies the fields of a plain invoice to UBL data, except the fields of the kind `own`. Adds a finding for
 * each unknown field, and for each name that has no code.
 */
export function copyFields(data: Tree, findings: Findings): Tree {
  const invoice: Tree = {};
  readGroup(PLAIN_INVOICE, data, { path: '', tree: invoice, invoice, findings });
  return invoice;
}

const KEYS = new Map<FieldGroup, ReadonlyMap<string, Field | FieldGroup>>();

function keysOf(group: FieldGroup): ReadonlyMap<string, Field | FieldGroup> {
  const known = KEYS.get(group) ?? new Map(group.fields.map((one) => [one.name, one]));
  KEYS.set(group, known);
  return known;
}

function readGroup(group: FieldGroup, data: Tree, context: ReadContext): void {
  const { findings } = context;
  const keys = keysOf(group);
  for (const [key, value] of Object.entries(data)) {
    if (findings.isFull) return;
    if (value === null || value === undefined) continue;
    const path = `${context.path}${context.path === '' ? '' : '.'}${key.slice(0, MAX_SHOWN_KEY)}`;
    const found = keys.get(key);
    if (!found) findings.add(FORMAT, path, `is unknown: ${suggest(key, keys)}`);
    else if (!isGroup(found)) readField(found, value, { ...context, path });
    else if (found.isList) readList(found, value, { ...context, path });
    else if (!isTree(value)) findings.add(FORMAT, path, 'must be an object');
    else readGroup(found, value, { ...context, path, tree: placeOf(found, context) });
  }
}

function readList(group: FieldGroup, value: unknown, context: ReadContext): void {
  const { path, findings } = context;
  const limit = group.name === 'lines' ? MAX_LINES : MAX_ITEMS;
  if (!Array.isArray(value)) return findings.add(FORMAT, path, 'must be a list');
  if (value.length > limit) return findings.add(FORMAT, path, `must have at most ${limit} items`);
  for (const [index, item] of value.entries()) {
    if (findings.isFull) return;
    const itemPath = `${path}[${index}]`;
    const tree: Tree = {};
    append(context.tree, group.ubl, tree);
    if (isTree(item)) readGroup(group, item, { ...context, path: itemPath, tree });
    else findings.add(FORMAT, itemPath, 'must be an object');
  }
}

function readField({ kind, ubl }: Field, value: unknown, context: ReadContext): void {
  const { path, tree, invoice, findings } = context;
  const target = ubl.startsWith('/') ? invoice : tree;
  const copy = (content: unknown) => put(target, ubl.replace(/^\//, ''), content);
  const copyCode = (code: string | undefined, names: Readonly<Record<string, string>>) =>
    code === undefined
      ? findings.add(FORMAT, path, `must be one of ${Object.keys(names).join(', ')}, or a code`)
      : copy(code);
  switch (kind) {
    case 'own':
    case 'own-decimal':
      return;
    case 'type':
      return copyCode(codeOf(TYPES, value), TYPES);
    case 'means':
      return copyCode(codeOf(MEANS, value), MEANS);
    case 'unit': {
      const code = typeof value === 'string' ? unitCode(value) : undefined;
      return code === undefined
        ? findings.add(FORMAT, path, typeof value === 'string' ? unknownUnit(value) : 'must be a string')
        : copy(code);
    }
    case 'vat': {
      const category = readTaxCategory(value);
      return category.fault === undefined
        ? copy(category.group)
        : findings.add(FORMAT, path + category.property, category.fault);
    }
    case 'iban': {
      const account = readAccount(value);
      return account.fault === undefined ? copy(account.number) : findings.add(FORMAT, path, account.fault);
    }
    case 'decimal':
    case 'date':
    case 'text':
    case 'texts':
      copy(value);
  }
}

/** Returns the name of a document type, or its code if the type has no name. */
export function typeName(code: string | undefined): string | undefined {
  return Object.entries(TYPES).find(([, one]) => one === code)?.[0] ?? code;
}

/** Returns the code of a name, or the text itself if it looks like a code. */
function codeOf(names: Readonly<Record<string, string>>, value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (Object.hasOwn(names, text)) return names[text];
  return CODE.test(text) ? text : undefined;
}

function suggest(key: string, keys: ReadonlyMap<string, unknown>): string {
  const typed = key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const near = [...keys.keys()].find((name) => name.replaceAll('_', '') === typed);
  return near === undefined ? `expected one of ${[...keys.keys()].join(', ')}` : `did you mean "${near}"?`;
}

function placeOf({ ubl }: FieldGroup, { tree, invoice }: ReadContext): Tree {
  return ubl === '' ? tree : ensure(ubl.startsWith('/') ? invoice : tree, ubl);
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the group at a path such as `cac:Item/cac:Price`, and creates it if it is absent. */
export function ensure(tree: Tree, steps: string): Tree {
  let at = tree;
  for (const name of steps.split('/').filter((step) => step !== '')) {
    const next = at[name];
    if (isTree(next)) at = next;
    else {
      const created: Tree = {};
      at[name] = created;
      at = created;
    }
  }
  return at;
}

/** Sets the value at a path. */
export function put(tree: Tree, steps: string, value: unknown): void {
  const end = steps.lastIndexOf('/');
  ensure(tree, steps.slice(0, Math.max(end, 0)))[steps.slice(end + 1)] = value;
}

/** Appends an item to the list at a path. */
export function append(tree: Tree, steps: string, item: unknown): void {
  const end = steps.lastIndexOf('/');
  const group = ensure(tree, steps.slice(0, Math.max(end, 0)));
  const name = steps.slice(end + 1);
  const list = group[name];
  if (Array.isArray(list)) list.push(item);
  else group[name] = [item];
}
