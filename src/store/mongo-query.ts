import { randomUUID } from 'node:crypto';
import { checkName, readFilter, type FilterCondition } from './filter.ts';
import type { CollectionSpec, Document } from './store.ts';

/** A document as stored in MongoDB: `_id`, the fields, and shadow fields, whose names contain a `:`. */
export type StoredDocument = { _id: string } & Record<string, unknown>;

/** Describes the shadow fields that a collection needs. */
export interface Shape {
  name: string;
  expiry: string | undefined;
  /** Fields of unique indexes. */
  uniqueFields: readonly string[];
}

const lastDateMs = 8.64e15;

/**
 * Names the shadow field that holds a unique value while a field of a unique index is null, so that nulls do
 * not collide.
 */
export function absenceOf(field: string): string {
  return `${field}:absent`;
}

/** Names the shadow field that holds the expiry as a date, which TTL indexes require. */
function dateOf(field: string): string {
  return `${field}:date`;
}

/** Derives the shape of a collection from its declaration. */
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
 * Stores arrays and objects as JSON text: MongoDB matches an array by its members, rejects some keys, and
 * does not keep the order of integer keys. Strings that are not well-formed are stored as JSON too, because
 * BSON cannot represent them.
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

/** Returns the shadow fields for a field's new value; `undefined` marks a shadow field to remove. */
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

/** Converts a document to its stored form. */
export function encodeDocument(shape: Shape, { id, ...fields }: Document): StoredDocument {
  const given = withoutUndefined(fields);
  const shadowed = new Set([...shape.uniqueFields, ...Object.keys(given)]);
  const shadows = [...shadowed].map((field) => shadowsOf(shape, field, given[field]));
  const values = Object.entries(given).map(([field, value]) => [field, encodeValue(value)]);
  return { _id: id, ...Object.fromEntries(values), ...withoutUndefined(Object.assign({}, ...shadows)) };
}

/** Converts a stored document back. */
export function decodeDocument({ _id, ...stored }: StoredDocument): Document {
  const fields = Object.entries(stored).filter(([name]) => !name.includes(':'));
  return { id: _id, ...Object.fromEntries(fields.map(([name, value]) => [name, decodeValue(value)])) };
}

/**
 * Returns the expression that is true for strings that contain a text. Unlike in `$regex`, no character of
 * the text has a special meaning, and case matters. `$indexOfCP` fails for values that are not strings; in
 * MongoDB's order of types, strings are between '' and {}.
 */
function contains(path: string, text: string): object {
  const isString = { $and: [{ $gte: [`$${path}`, ''] }, { $lt: [`$${path}`, { $literal: {} }] }] };
  const string = { $cond: [isString, `$${path}`, null] };
  return { $gte: [{ $indexOfCP: [string, { $literal: text }] }, 0] };
}

/** Converts a filter to MongoDB's, for documents that have not expired at `now`. @throws {TypeError} */
export function encodeFilter(shape: Shape, filter: object, now: number): object {
  const encoded = encodeConditions(readFilter(filter));
  // Negated so that a document whose expiry is null or absent matches.
  return shape.expiry === undefined ? encoded : { ...encoded, $nor: [{ [shape.expiry]: { $lte: now } }] };
}

function encodeConditions(conditions: readonly FilterCondition[]): Record<string, unknown> {
  const encoded: Record<string, unknown> = {};
  const containments: object[] = [];
  const choices: object[] = [];
  for (const condition of conditions) {
    if (condition.operator === 'either') {
      choices.push({ $or: condition.alternatives.map(encodeConditions) });
      continue;
    }
    const { field, operator, operand } = condition;
    const path = fieldPath(field);
    // A bare scalar instead of `$eq`, for which the server of the tests does not use its indexes.
    if (operator === 'contains') containments.push(contains(path, operand));
    else if (operator === 'eq') encoded[path] = operand;
    else encoded[path] = { ...(encoded[path] as object | undefined), [`$${operator}`]: operand };
  }
  if (containments.length > 0) encoded['$expr'] = { $and: containments };
  if (choices.length > 0) encoded['$and'] = choices;
  return encoded;
}

/** Returns the filter for documents that have expired at `now`. */
export function expiredFilter(expiry: string, now: number): object {
  return { [dateOf(expiry)]: { $lte: new Date(now) } };
}

/** Converts an order to MongoDB's, in which 1 means ascending. */
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

/**
 * Returns the update that sets fields, or `null` when nothing changes. Fields that are `undefined` keep their
 * value.
 */
export function encodeSet(shape: Shape, set: object): object | null {
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set) as [string, unknown][]) {
    if (value === undefined) continue;
    changes[changeable(field)] = encodeValue(value);
    Object.assign(changes, shadowsOf(shape, field, value));
  }
  return Object.keys(changes).length === 0 ? null : changeOf(changes);
}

/**
 * Returns the update that adds to fields, or `null` when nothing changes.
 * @throws {TypeError} for the expiry, whose shadow date cannot follow.
 */
export function encodeIncrement(shape: Shape, by: object): object | null {
  const increments: Record<string, number> = {};
  const shadows: Record<string, unknown> = {};
  for (const [field, operand] of Object.entries(by) as [string, unknown][]) {
    if (!Number.isFinite(operand))
      throw new TypeError(`${field} must be incremented by a finite number, not by ${String(operand)}`);
    if (field === shape.expiry)
      throw new TypeError(`${field} is the expiry and cannot be incremented; set it instead`);
    increments[changeable(field)] = Number(operand);
    Object.assign(shadows, shadowsOf(shape, field, operand));
  }
  if (Object.keys(increments).length === 0) return null;
  return { $inc: increments, ...changeOf(shadows) };
}

/** An index as MongoDB defines it. */
interface IndexDefinition {
  key: Record<string, 1 | -1>;
  unique?: true;
  expireAfterSeconds?: number;
}

/**
 * Lists the indexes of a collection. MongoDB derives their names from the keys, so different definitions get
 * different names.
 */
export function indexesOf<T extends Document>(spec: CollectionSpec<T>): IndexDefinition[] {
  const declared = (spec.indexes ?? [])
    // MongoDB always has this index.
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
