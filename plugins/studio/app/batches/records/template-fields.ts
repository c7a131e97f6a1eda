import type { Template } from '../../data/types.ts';

/** The types that a column can have. The values of CSV are texts. */
export const COLUMN_TYPES = ['text', 'number', 'boolean'] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A field of a template's data, such as `customer.name`. */
export interface TemplateField {
  name: string;
  /** The type of a column for the field; `undefined` for a list or an object, which no column can have. */
  type: ColumnType | undefined;
  /** `required`: the schema refuses data without it. `expected`: its absence is reported. */
  need: 'required' | 'expected' | 'optional';
}

/** Lists the fields that a template is known to have: those of its schema, or else of its sample data. */
export function fieldsOf({ schema, sample_data }: Pick<Template, 'schema' | 'sample_data'>): TemplateField[] {
  const fields = Object.entries(schema).map(([name, type]): TemplateField => {
    const need = type.endsWith('!') ? 'required' : type.endsWith('?') ? 'optional' : 'expected';
    return { name, type: columnTypeOf(type.replace(/[!?]$/, '')), need };
  });
  return fields.length > 0 ? fields : fieldsIn(sample_data, '');
}

function columnTypeOf(type: string): ColumnType | undefined {
  if (type === 'array' || type === 'object') return undefined;
  if (type === 'integer') return 'number';
  return type === 'number' || type === 'boolean' ? type : 'text';
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
