import type { VariableSchema } from '@platen/templates/check-data';
import type { Template } from '../../data/types.ts';

/** The types that a column can have. The values of CSV are texts. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'date'] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A field of a template's data, such as `customer.name`. */
export interface TemplateField {
  name: string;
  /** The type of a column for the field; `undefined` for a list or an object, which no column can have. */
  type: ColumnType | undefined;
  /** A part of an object, such as `signatory.name`, which a column can have. */
  example?: string;
  /** `required`: the schema refuses data without it. `expected`: its absence is reported. */
  need: 'required' | 'expected' | 'optional';
}

/** Lists the fields that a template is known to have: those of its schema, or else of its sample data. */
export function fieldsOf({ schema, sample_data }: Pick<Template, 'schema' | 'sample_data'>): TemplateField[] {
  const fields = Object.entries(schema).map(([name, marked]): TemplateField => {
    const need = marked.endsWith('!') ? 'required' : marked.endsWith('?') ? 'optional' : 'expected';
    const type = marked.replace(/[!?]$/, '');
    const example = type === 'object' ? `${name}.${partOf(sample_data, name) ?? 'name'}` : undefined;
    return { name, type: columnTypeOf(type), need, ...(example !== undefined && { example }) };
  });
  return fields.length > 0 ? fields : fieldsIn(sample_data, '');
}

/** Returns the variables of a schema without which the service makes no document. */
export function requiredOf(schema: Template['schema']): VariableSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([, type]) => type.endsWith('!')),
  ) as VariableSchema;
}

function columnTypeOf(type: string): ColumnType | undefined {
  if (type === 'array' || type === 'object') return undefined;
  if (type === 'integer') return 'number';
  return type === 'number' || type === 'boolean' || type === 'date' ? type : 'text';
}

/** Returns the name of the first part of an object in the sample data. */
function partOf(data: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  return typeof value === 'object' && value !== null ? Object.keys(value)[0] : undefined;
}

function fieldsIn(data: Readonly<Record<string, unknown>>, path: string): TemplateField[] {
  return Object.entries(data).flatMap(([name, value]): TemplateField[] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return fieldsIn(value as Record<string, unknown>, `${path}${name}.`);
    // An empty value may be of any type.
    const type = Array.isArray(value) ? 'array' : value === null ? 'any' : typeof value;
    return [{ name: path + name, type: columnTypeOf(type), need: 'expected' }];
  });
}
