import { parseDate } from '@platen/templates/parse-date';
import type { ColumnType, TemplateField } from './template-fields.ts';

/** A column of a table, and the field of the template's data that gets its values. */
export interface Column {
  name: string;
  /** A path, such as `customer.name`. An empty text leaves the column out. */
  field: string;
  type: ColumnType;
}

/**
 * Assigns columns to the fields of a template: to a field of the same name, or else to one whose name differs
 * only in case, spaces and punctuation. Other columns become fields with their own names, as text.
 */
export function columnsFor(header: readonly string[], fields: readonly TemplateField[]): Column[] {
  const similar = new Map(fields.map((field) => [plain(field.name), field]));
  const own = new Set(header);
  return header.map((name) => {
    const near = similar.get(plain(name));
    const field =
      fields.find((each) => each.name === name) ?? (near && !own.has(near.name) ? near : undefined);
    return { name, field: field?.name ?? name, type: field?.type ?? 'text' };
  });
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Gives a column another field, whose type it takes if the template knows the field. */
export function withField(column: Column, field: string, fields: readonly TemplateField[]): Column {
  const known = fields.find(({ name }) => name === field);
  return { ...column, field, type: known?.type ?? column.type };
}

/** Returns why the columns cannot be used together. */
export function faultOfColumns(columns: readonly Column[]): string | undefined {
  const used = new Map<string, Column>();
  for (const column of columns) {
    const { name, field } = column;
    if (field === '') continue;
    if (field.split('.').includes(''))
      return `The column “${name}” has the field “${field}”. A field must have a name before and after each dot.`;
    const other = used.get(field);
    if (other) return `The columns “${other.name}” and “${name}” have the same field, “${field}”.`;
    used.set(field, column);
  }
  if (used.size === 0) return 'All columns are left out.';
  for (const [field, { name }] of used)
    for (let dot = field.indexOf('.'); dot !== -1; dot = field.indexOf('.', dot + 1)) {
      const owner = used.get(field.slice(0, dot));
      if (owner)
        return `The column “${name}” has the field “${field}”, which is a part of “${owner.field}”, the field of another column.`;
    }
  return undefined;
}

/** Lists the fields that no column fills, except optional ones. */
export function fieldsWithoutColumn(
  columns: readonly Column[],
  fields: readonly TemplateField[],
): TemplateField[] {
  return fields.filter(
    ({ name, need }) =>
      need !== 'optional' && !columns.some(({ field }) => field === name || field.startsWith(`${name}.`)),
  );
}

/** A tag of Handlebars. */
const TAG = /\{\{[^{}]{1,2000}\}\}/g;
/** Tags that may read fields without naming them. */
const READS_ANY = /\{\{[#~]*>|\blookup\b|\bthis\b(?!\.)|@root\b(?!\.)|[\s(=]\.[\s)}~]/;
/** Fields that helpers read without an argument. */
const READ_BY_HELPERS = ['locale', 'lang', 'labels'];

/**
 * Lists the columns whose fields a template does not know: its schema lacks them, and none of `sources` names
 * them in a tag. Returns an empty list if a tag may read any field, such as the call of a partial.
 */
export function unreadColumns(
  columns: readonly Column[],
  { fields, sources }: { fields: readonly TemplateField[]; sources: readonly string[] },
): Column[] {
  const tags = sources.flatMap((source) => source.match(TAG) ?? []);
  if (tags.length === 0 || tags.some((tag) => READS_ANY.test(tag))) return [];
  const known = new Set([
    ...READ_BY_HELPERS,
    ...fields.map(({ name }) => rootOf(name)),
    ...tags.flatMap((tag) => wordsIn(tag.replaceAll(/"[^"]*"|'[^']*'/g, ' '))),
  ]);
  return columns.filter(({ field }) => field !== '' && !known.has(rootOf(field)));
}

/** Lists the words of a tag. Of an option such as `decimals=digits`, only the value is a word. */
function wordsIn(tag: string): string[] {
  const words = tag.match(/\[[^[\]]*\]|[^\s{}().~#^/&|[\]]+/g) ?? [];
  return words.map((word) =>
    word.startsWith('[') ? word.slice(1, -1) : word.slice(word.lastIndexOf('=') + 1),
  );
}

function rootOf(field: string): string {
  return field.split('.')[0] ?? '';
}

/**
 * Returns the function that turns the cells of a row into an object, or into a fault. A column without a field
 * is left out, and so is an empty cell of a number, boolean or date that is not required.
 */
export function rowEncoder(
  columns: readonly Column[],
  fields: readonly TemplateField[],
): (cells: readonly string[]) => { data: object } | { fault: string } {
  const required = new Set(fields.filter(({ need }) => need === 'required').map(({ name }) => name));
  const used = columns.flatMap((column, index) =>
    column.field === '' ? [] : [{ ...column, index, path: column.field.split('.') }],
  );
  return (cells) => {
    const data = {};
    for (const { index, name, field, type, path } of used) {
      const text = cells[index] ?? '';
      if (type !== 'text' && text.trim() === '') {
        if (required.has(field)) return { fault: `has no value in the column “${name}”, which is required` };
        continue;
      }
      const value = valueOf(text, type);
      if (value === undefined)
        return { fault: `has “${shorten(text)}” in the column “${name}”, which is ${EXPECTED[type]}` };
      setPath(data, path, value);
    }
    return { data };
  };
}

const EXPECTED: Record<ColumnType, string> = {
  text: 'not a text',
  number: 'not a number, such as 12.5',
  boolean: 'neither true nor false',
  date: 'not a date in the form YYYY-MM-DD, such as 2026-11-28',
};

function valueOf(text: string, type: ColumnType): unknown {
  if (type === 'text') return text;
  const trimmed = text.trim();
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
  if (type === 'date') return parseDate(trimmed) === null ? undefined : trimmed;
  const word = trimmed.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}

/** Shortens a text for a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Sets a value in an object of objects. The columns do not contradict each other. */
function setPath(data: object, path: readonly string[], value: unknown): void {
  let owner = data;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(owner, name)) define(owner, name, {});
    owner = Reflect.get(owner, name) as object;
  }
  define(owner, path.at(-1) ?? '', value);
}

/** Sets a property of any name, also `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
