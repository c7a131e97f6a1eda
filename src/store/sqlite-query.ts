import { checkName, readFilter, type FieldCondition, type FilterCondition, type Scalar } from './filter.ts';
import type { CollectionSpec, Document } from './store.ts';

/** A statement and the values of its parameters, in order. Values are never part of the SQL text. */
export interface BoundSql {
  sql: string;
  values: (string | number)[];
}

/** The table of a collection and the field that holds the expiry of its documents. */
export interface Table {
  name: string;
  expiry?: string | undefined;
}

const comparisons = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };

function tableName(table: Table): string {
  return `"${checkName(table.name)}"`;
}

/**
 * Returns the SQL for a field. SQLite uses an index only if the query contains exactly the same expression.
 */
function fieldExpression(field: string): string {
  return field === 'id' ? 'id' : `(doc ->> '$.${checkName(field)}')`;
}

/** Returns the parameter to compare with; `->>` reads booleans as 1 and 0. */
function bindScalar(value: Scalar): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

function membership(field: string, members: readonly (Scalar | null)[]): BoundSql {
  const scalars = members.filter((member) => member !== null).map(bindScalar);
  // A single parameter for the list gives the same statement for lists of any length.
  const isMember = `${fieldExpression(field)} IN (SELECT value FROM json_each(?))`;
  const sql = members.includes(null) ? `(${isMember} OR ${fieldExpression(field)} IS NULL)` : isMember;
  return { sql, values: [JSON.stringify(scalars)] };
}

/**
 * The plus keeps SQLite from reading an index for each alternative, instead of one that has the order of the
 * query.
 */
function alternativesSql(alternatives: readonly FilterCondition[][]): BoundSql {
  const parts = alternatives.map((conditions) => joinSql(conditions.map(conditionSql), ' AND '));
  const { sql, values } = joinSql(parts, ' OR ');
  return { sql: `+${sql}`, values };
}

/** Joins conditions in brackets. Without conditions, the result is true. */
function joinSql(conditions: readonly BoundSql[], separator: ' AND ' | ' OR '): BoundSql {
  if (conditions.length === 0) return { sql: '1', values: [] };
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(separator)})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function conditionSql(condition: FilterCondition): BoundSql {
  return condition.operator === 'either' ? alternativesSql(condition.alternatives) : fieldSql(condition);
}

function fieldSql({ field, operator, operand }: FieldCondition): BoundSql {
  const expression = fieldExpression(field);
  if (operator === 'in') return membership(field, operand);
  if (operator === 'contains') return { sql: `instr(${expression}, ?) > 0`, values: [operand] };
  if (operand === null) return { sql: `${expression} IS NULL`, values: [] };
  return { sql: `${expression} ${comparisons[operator]} ?`, values: [bindScalar(operand)] };
}

/**
 * Tells SQLite that most documents meet the condition. Without statistics, SQLite assumes that a range with
 * two bounds is so small that it ignores whether an index also covers the other conditions.
 */
function asLikely({ sql, values }: BoundSql): BoundSql {
  return { sql: `likelihood(${sql}, 0.75)`, values };
}

function isBound(condition: FilterCondition): condition is FieldCondition {
  return ['lt', 'lte', 'gt', 'gte'].includes(condition.operator);
}

function whereClause(table: Table, filter: object, now: number): BoundSql {
  const read = readFilter(filter);
  const bounds = read.filter(isBound);
  const hasTwoBounds = (field: string) => bounds.filter((bound) => bound.field === field).length > 1;
  const conditions = read.map((condition) =>
    isBound(condition) && hasTwoBounds(condition.field)
      ? asLikely(conditionSql(condition))
      : conditionSql(condition),
  );
  if (table.expiry !== undefined) {
    // No index contains this expression, so SQLite chooses the index by the filter and the order. 9e999 is
    // infinity.
    conditions.push({ sql: `coalesce(${fieldExpression(table.expiry)}, 9e999) > ?`, values: [now] });
  }
  if (conditions.length === 0) return { sql: '', values: [] };
  return {
    sql: ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function orderedFields(order: object): string[] {
  return Object.entries(order).map(
    ([field, direction]) => `${fieldExpression(field)} ${direction === 'desc' ? 'DESC' : 'ASC'}`,
  );
}

function orderClause(order: object): string {
  const fields = orderedFields(order);
  return fields.length === 0 ? '' : ` ORDER BY ${fields.join(', ')}`;
}

/**
 * Builds the statements that create the missing table and indexes of a collection.
 * The name of an index contains its whole definition, so a changed declaration creates a new index.
 */
export function createTableSql<T extends Document>(spec: CollectionSpec<T>): BoundSql[] {
  const name = tableName(spec);
  const table = `CREATE TABLE IF NOT EXISTS ${name} (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`;
  const declared = (spec.indexes ?? []).map(({ fields, unique = false }) => ({
    fields: fields as object,
    unique,
  }));
  if (spec.expiry !== undefined) declared.push({ fields: { [spec.expiry]: 'asc' }, unique: false });
  const indexes = declared.map(({ fields, unique }) => {
    const label = Object.entries(fields).map(([field, direction]) => `${checkName(field)} ${direction}`);
    const index = `"${unique ? 'unique ' : ''}${spec.name}(${label.join(', ')})"`;
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${index} ON ${name} (${orderedFields(fields).join(', ')})`;
  });
  return [table, ...indexes].map((sql) => ({ sql, values: [] }));
}

/** Builds the statement that inserts a document. */
export function insertSql(table: Table, document: Document): BoundSql {
  return {
    sql: `INSERT INTO ${tableName(table)} (id, doc) VALUES (?, ?)`,
    values: [document.id, JSON.stringify(document)],
  };
}

/** Builds the statement that reads the documents of a query that have not expired at `now`. */
export function selectSql(
  table: Table,
  query: { where?: object; order?: object; limit?: number; offset?: number },
  now: number,
): BoundSql {
  const where = whereClause(table, query.where ?? {}, now);
  return {
    sql: `SELECT doc FROM ${tableName(table)}${where.sql}${orderClause(query.order ?? {})} LIMIT ? OFFSET ?`,
    // In SQLite, a limit of -1 means no limit.
    values: [...where.values, query.limit ?? -1, query.offset ?? 0],
  };
}

/** Builds the statement that counts the documents that `selectSql` would read. */
export function countSql(table: Table, filter: object, now: number): BoundSql {
  const where = whereClause(table, filter, now);
  return { sql: `SELECT count(*) FROM ${tableName(table)}${where.sql}`, values: where.values };
}

/**
 * Builds the statement that changes the first matching document and returns it. `changes` pairs a field with
 * its new value as SQL.
 */
function changeSql(
  table: Table,
  changes: readonly { field: string; value: string; operand: string | number }[],
  selection: { where: object; order?: object | undefined; now: number },
): BoundSql {
  if (changes.some(({ field }) => field === 'id'))
    throw new TypeError('the id of a document cannot be changed');
  const assignments = changes.map(({ field, value }) => `, '$.${checkName(field)}', ${value}`).join('');
  const where = whereClause(table, selection.where, selection.now);
  const first = `SELECT id FROM ${tableName(table)}${where.sql}${orderClause(selection.order ?? {})} LIMIT 1`;
  return {
    // A single statement under the write lock: no other write can occur between the selection and the change.
    sql: `UPDATE ${tableName(table)} SET doc = json_set(doc${assignments}) WHERE id = (${first}) RETURNING doc`,
    values: [...changes.map(({ operand }) => operand), ...where.values],
  };
}

/**
 * Builds the statement that sets fields of the first matching document; fields that are `undefined` keep
 * their value.
 */
export function updateSql(
  table: Table,
  set: object,
  selection: { where: object; order?: object | undefined; now: number },
): BoundSql {
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  const changes = entries.map(([field, value]) => ({
    field,
    value: 'json(?)',
    operand: JSON.stringify(value),
  }));
  return changeSql(table, changes, selection);
}

/** Builds the statement that adds to fields of the first matching document; an absent field counts as 0. */
export function incrementSql(table: Table, by: object, selection: { where: object; now: number }): BoundSql {
  const changes = Object.entries(by).map(([field, operand]: [string, unknown]) => {
    if (!Number.isFinite(operand))
      throw new TypeError(`${field} must be incremented by a finite number, not by ${String(operand)}`);
    return { field, value: `coalesce(${fieldExpression(field)}, 0) + ?`, operand: Number(operand) };
  });
  return changeSql(table, changes, selection);
}

/** Builds the statement that deletes every matching document that has not expired at `now`. */
export function deleteSql(table: Table, filter: object, now: number): BoundSql {
  const where = whereClause(table, filter, now);
  return { sql: `DELETE FROM ${tableName(table)}${where.sql}`, values: where.values };
}

/**
 * Builds the statement that deletes at most `limit` documents that have expired at `now`; -1 deletes all of
 * them.
 */
export function deleteExpiredSql(table: Table & { expiry: string }, now: number, limit: number): BoundSql {
  const name = tableName(table);
  const expired = `SELECT id FROM ${name} WHERE ${fieldExpression(table.expiry)} <= ? LIMIT ?`;
  return { sql: `DELETE FROM ${name} WHERE id IN (${expired})`, values: [now, limit] };
}
