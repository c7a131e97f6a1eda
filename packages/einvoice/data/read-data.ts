import { numberText, Decimal, MAX_DECIMALS, MAX_DIGITS } from '../decimal.ts';
import type { Findings } from '../findings.ts';
import type { Group } from './node.ts';
import { INVOICE, type GroupShape, type Shape, type ValueShape } from './shape.ts';

/** The rule of findings about data that does not have the shape of an invoice. */
export const FORMAT = 'FORMAT';

/** The most lines that an invoice may have. */
export const MAX_LINES = 10_000;
const MAX_ITEMS = 1_000;
const MAX_TEXT = 100_000;
/** The number of characters of an unknown key that findings quote. */
const MAX_SHOWN_KEY = 100;
const MAX_BINARY = 20_000_000;

/** Characters that XML 1.0 does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const NUMBER = /^[+-]?([0-9]+)(?:\.[0-9]*)?$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/**
 * Reads the data of an invoice: checks names and types, converts numbers and indicators to text, and wraps a
 * single value in a list where several are possible. Leaves absent values to the business rules, unless the
 * shape requires them. Unless the data was read from XML, numbers may have at most {@link MAX_DECIMALS}
 * decimals.
 */
export function readData(data: unknown, findings: Findings, isFromXml = false): Group {
  if (!isObject(data) || !isObject(data[INVOICE.name])) {
    findings.add(
      FORMAT,
      '',
      `must be an invoice: an object with number, date, seller, buyer and lines, or with the property "${INVOICE.name}"`,
    );
    return {};
  }
  for (const key of Object.keys(data))
    if (key !== INVOICE.name)
      findings.add(
        FORMAT,
        key.slice(0, MAX_SHOWN_KEY),
        `must not stand beside "${INVOICE.name}": an invoice has one of the two shapes`,
      );
  return readGroup(data[INVOICE.name], { shape: INVOICE, path: INVOICE.name, findings, isFromXml });
}

interface ReadContext<S extends Shape> {
  shape: S;
  path: string;
  findings: Findings;
  isFromXml: boolean;
}

const KEYS = new Map<GroupShape, ReadonlyMap<string, Shape | 'attribute'>>();

/** Returns the properties that a group may have. */
function keysOf(shape: GroupShape): ReadonlyMap<string, Shape | 'attribute'> {
  const known = KEYS.get(shape);
  if (known) return known;
  const keys = new Map<string, Shape | 'attribute'>();
  for (const child of shape.children) {
    keys.set(child.name, child);
    if (child.kind === 'value')
      for (const attribute of Object.keys(child.attributes))
        keys.set(`${child.name}@${attribute}`, 'attribute');
  }
  KEYS.set(shape, keys);
  return keys;
}

function readGroup(value: unknown, { shape, path, findings, isFromXml }: ReadContext<GroupShape>): Group {
  const group: Group = {};
  if (!isObject(value)) {
    findings.add(FORMAT, path, 'must be an object');
    return group;
  }
  const keys = keysOf(shape);
  for (const key of Object.keys(value)) {
    if (findings.isFull) break;
    const child = keys.get(key);
    const context = { path: `${path}.${key.slice(0, MAX_SHOWN_KEY)}`, findings, isFromXml };
    const found = value[key];
    if (child === undefined) findings.add(FORMAT, context.path, `is unknown: ${suggest(key, keys)}`);
    else if (found === null || found === undefined) continue;
    else if (child === 'attribute') group[key] = readText(found, { ...context, limit: MAX_TEXT });
    else if (child.many) group[key] = readList(found, { ...context, shape: child });
    else
      group[key] = readItem(Array.isArray(found) && found.length === 1 ? found[0] : found, {
        ...context,
        shape: child,
      });
  }
  for (const child of shape.children)
    if (child.kind === 'value' && child.required && (value[child.name] ?? '') === '')
      findings.add(FORMAT, `${path}.${child.name}`, 'is required');
  return group;
}

function readList(value: unknown, { shape, path, ...others }: ReadContext<Shape>): (string | Group)[] {
  const { findings } = others;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const limit = shape.name === 'cac:InvoiceLine' ? MAX_LINES : MAX_ITEMS;
  if (list.length > limit) {
    findings.add(FORMAT, path, `must have at most ${limit} items`);
    return [];
  }
  return list.flatMap((item, index) => {
    const content = readItem(item, { ...others, shape, path: `${path}[${index}]` });
    return content === undefined ? [] : [content];
  });
}

function readItem(value: unknown, context: ReadContext<Shape>): string | Group | undefined {
  const { shape } = context;
  return shape.kind === 'group'
    ? readGroup(value, { ...context, shape })
    : readValue(value, { ...context, shape });
}

function readValue(
  value: unknown,
  { shape, path, findings, isFromXml }: ReadContext<ValueShape>,
): string | undefined {
  const found = typeof value === 'boolean' && shape.type !== 'text' ? String(value) : value;
  const text = readText(found, { path, findings, limit: shape.type === 'binary' ? MAX_BINARY : MAX_TEXT });
  if (text === undefined || text === '') return undefined;
  const isNumber = shape.type === 'amount' || shape.type === 'number';
  const fault = isNumber ? numberFaultOf(text, isFromXml ? MAX_DIGITS : MAX_DECIMALS) : faultOf(text, shape);
  if (fault !== undefined) findings.add(FORMAT, path, fault);
  if (fault !== undefined) return undefined;
  return isNumber ? text.trim().replace(/^\+/, '') : text;
}

function readText(
  value: unknown,
  { path, findings, limit }: { path: string; findings: Findings; limit: number },
): string | undefined {
  const text = typeof value === 'number' ? numberText(value) : value;
  const fault =
    typeof text !== 'string'
      ? typeof value === 'number'
        ? 'must be a string, because a JSON number of this size is not exact'
        : 'must be a string'
      : text.length > limit
        ? `must have at most ${limit} characters`
        : FORBIDDEN.test(text)
          ? 'must not contain control characters, which XML does not allow'
          : undefined;
  if (fault !== undefined) findings.add(FORMAT, path, fault);
  return fault === undefined && typeof text === 'string' ? text.toWellFormed() : undefined;
}

function faultOf(text: string, { type }: ValueShape): string | undefined {
  switch (type) {
    case 'date':
      return DATE.test(text) && isDate(text) ? undefined : 'must be a date such as "2026-11-22"';
    case 'indicator':
      return text === 'true' || text === 'false' ? undefined : 'must be "true" or "false"';
    case 'binary':
      return BASE64.test(text) ? undefined : 'must be base64';
    case 'amount':
    case 'number':
    case 'text':
      return undefined;
  }
}

function numberFaultOf(text: string, maxDecimals: number): string | undefined {
  const [, whole] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) return 'must be a number such as "12.50"';
  if (whole.length > MAX_DIGITS) return `must have at most ${MAX_DIGITS} digits before the decimal point`;
  const number = Decimal.parse(text);
  return number && number.decimals <= maxDecimals ? undefined : `must have at most ${maxDecimals} decimals`;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Suggests the property whose local name equals that of an unknown key, ignoring case, or lists all
 * properties.
 */
function suggest(key: string, keys: ReadonlyMap<string, unknown>): string {
  const local = key.replace(/^[a-z]*:/, '').toLowerCase();
  const near = [...keys.keys()].filter((known) => known.toLowerCase().endsWith(`:${local}`));
  return near.length > 0 ? `did you mean "${near[0]}"?` : `expected one of ${[...keys.keys()].join(', ')}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
