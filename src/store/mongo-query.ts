import { randomUUID } from 'node:crypto';
import { checkName, readFilter } from './filter.ts';
import type { CollectionSpec, Document } from './store.ts';

/** A document as MongoDB holds it: `_id`, the fields, and shadows of fields, whose names hold a `:`. */
export type StoredDocument = { _id: string } & Record<string, unknown>;

/** Describes what the driver keeps beside the fields of a collection's documents. */
export interface Shape {
  name: string;
  expiry: string | undefined;
  /** Fields of unique indexes. */
  uniqueFields: readonly string[];
}

const lastDateMs = 8.64e15;

/** Names the shadow that holds a value of its own while a field of a unique index is null, so that nulls do not clash. */
export function absenceOf(field: string): string {
  return `${field}:absent`;
}

/** Names the shadow that holds the expiry as a date, which is what a TTL index takes. */
function dateOf(field: string): string {
  return `${field}:date`;
}

/** Reads from a declaration what `encodeDocument` and the others need. */
export function shapeOf<T extends Document>({ name, indexes = [], expiry }: CollectionSpec<T>): Shape {
  const unique = indexes.filter((index) => index.unique).flatMap(({ fields }) => Object.keys(fields));
  return {
    name: checkName(name),
    expiry,
    uniqueFields: [...new Set(unique)].filter((field) => field !== 'id'),
  };
}

function fieldPath(field: string): string {
  return field === 'id' ? '_id' : checkName(field);
}

/**
 * Lists and objects are JSON text: MongoDB would match a list by its members, refuses some keys, and keeps no order of integer keys.
 * So is text that is not well-formed, which BSON cannot hold.
 */
function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : { json: JSON.stringify(value) };
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'object' && value !== null) return { json: JSON.stringify(value) };
  return value;
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse((value as { json: string }).json);
}

/** The shadows of a field's new value; `undefined` is a shadow to be removed. */
function shadowsOf(shape: Shape, field: string, value: unknown): Record<string, unknown> {
  const shadows: Record<string, unknown> = {};
  if (shape.uniqueFields.includes(field))
    shadows[absenceOf(field)] = (value ?? null) === null ? randomUUID() : undefined;
  if (field === shape.expiry)
    shadows[dateOf(field)] = typeof value === 'number' ? new Date(Math.min(value, lastDateMs)) : undefined;
  return shadows;
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Makes of a document what is stored. */
export function encodeDocument(shape: Shape, { id, ...fields }: Document): StoredDocument {
  const given = withoutUndefined(fields);
  const shadowed = new Set([...shape.uniqueFields, ...Object.keys(given)]);
  const shadows = [...shadowed].map((field) => shadowsOf(shape, field, given[field]));
  const values = Object.entries(given).map(([field, value]) => [field, encodeValue(value)]);
  return { _id: id, ...Object.fromEntries(values), ...withoutUndefined(Object.assign({}, ...shadows)) };
}

/** Makes of what is stored the document. */
export function decodeDocument({ _id, ...stored }: StoredDocument): Document {
  const fields = Object.entries(stored).filter(([name]) => !name.includes(':'));
  return { id: _id, ...Object.fromEntries(fields.map(([name, value]) => [name, decodeValue(value)])) };
}

/** Makes of a filter MongoDB's, for documents that have not expired at `now`. @throws {TypeError} */
export function encodeFilter(shape: Shape, filter: object, now: number): object {
  const encoded: Record<string, unknown> = {};
  for (const { field, operator, operand } of readFilter(filter)) {
    const path = fieldPath(field);
    // A bare scalar and not `$eq`, by which the server of the tests would not search its indexes.
    if (operator === 'eq') encoded[path] = operand;
    else encoded[path] = { ...(encoded[path] as object | undefined), [`$${operator}`]: operand };
  }
  // Negated, so that a document whose expiry is null or absent meets it.
  return shape.expiry === undefined ? encoded : { ...encoded, $nor: [{ [shape.expiry]: { $lte: now } }] };
}

/** Makes the filter of the documents that have expired at `now`. */
export function expiredFilter(expiry: string, now: number): object {
  return { [dateOf(expiry)]: { $lte: new Date(now) } };
}

/** Makes of an order MongoDB's; 1 is ascending. */
export function encodeOrder(order: object): Record<string, 1 | -1> {
  return Object.fromEntries(
    Object.entries(order).map(([field, direction]) => [fieldPath(field), direction === 'desc' ? -1 : 1]),
  );
}

function changeable(field: string): string {
  if (field === 'id') throw new TypeError('the id of a document cannot be changed');
  return checkName(field);
}

function changeOf(changes: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const removed = Object.keys(changes).filter((field) => changes[field] === undefined);
  const set = withoutUndefined(changes);
  return {
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((field) => [field, ''])) }),
  };
}

/** Makes the change that sets fields, or `null` when there is none; fields that are `undefined` stay as they are. */
export function encodeSet(shape: Shape, set: object): object | null {
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set) as [string, unknown][]) {
    if (value === undefined) continue;
    changes[changeable(field)] = encodeValue(value);
    Object.assign(changes, shadowsOf(shape, field, value));
  }
  return Object.keys(changes).length === 0 ? null : changeOf(changes);
}

/** Makes the change that adds to fields, or `null` when there is none. @throws {TypeError} for the expiry: its date cannot follow. */
export function encodeIncrement(shape: Shape, by: object): object | null {
  const increments: Record<string, number> = {};
  const shadows: Record<string, unknown> = {};
  for (const [field, operand] of Object.entries(by) as [string, unknown][]) {
    if (!Number.isFinite(operand))
      throw new TypeError(`${field} is incremented by a finite number, not by ${String(operand)}`);
    if (field === shape.expiry) throw new TypeError(`${field} is the expiry: it is set, not incremented`);
    increments[changeable(field)] = Number(operand);
    Object.assign(shadows, shadowsOf(shape, field, operand));
  }
  if (Object.keys(increments).length === 0) return null;
  return { $inc: increments, ...changeOf(shadows) };
}

/** What the driver asks MongoDB to index. */
export interface IndexDefinition {
  key: Record<string, 1 | -1>;
  unique?: true;
  expireAfterSeconds?: number;
}

/** Lists the indexes of a collection. Their names, which MongoDB makes of the keys, differ where their definitions do. */
export function indexesOf<T extends Document>(spec: CollectionSpec<T>): IndexDefinition[] {
  const declared = (spec.indexes ?? [])
    // MongoDB has this one by itself.
    .filter(({ fields }) => Object.keys(fields).join() !== 'id')
    .map(({ fields, unique }): IndexDefinition => {
      const key = encodeOrder(fields);
      if (!unique) return { key };
      const nullable = Object.keys(fields).filter((field) => field !== 'id');
      return {
        key: { ...key, ...Object.fromEntries(nullable.map((field) => [absenceOf(field), 1])) },
        unique: true,
      };
    });
  if (spec.expiry === undefined) return declared;
  return [...declared, { key: { [dateOf(spec.expiry)]: 1 }, expireAfterSeconds: 0 }];
}
