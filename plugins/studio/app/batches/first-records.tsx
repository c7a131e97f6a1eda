import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Select } from '../ui/controls.tsx';
import { withField, type Column } from './records/columns.ts';
import type { Source } from './records/source.ts';
import { COLUMN_TYPES, type TemplateField } from './records/template-fields.ts';

const SHOWN = 3;
const MAX_CHARACTERS = 80;
const TYPE_NAMES = { text: 'Text', number: 'Number', boolean: 'True or false', date: 'Date' } as const;

/** Renders the first valid rows of CSV. Above each column is the field that gets its values. */
export function FirstRows(props: {
  source: Source;
  columns: readonly Column[];
  fields: readonly TemplateField[];
  onColumns: (columns: Column[]) => void;
}) {
  const { source, columns, fields, onColumns } = props;
  const list = useId();
  const rows = source.records.filter(({ cells }) => cells !== undefined).slice(0, SHOWN);
  const replace = (column: Column, next: Column) =>
    onColumns(columns.map((each) => (each === column ? next : each)));
  return (
    <>
      <Frame label="Columns and first rows">
        <Head names={columns.map(({ name }) => name)} />
        <tbody>
          <tr>
            {columns.map((column) => (
              <td key={column.name}>
                <input
                  class="input"
                  aria-label={`Field for the column ${column.name}`}
                  placeholder="Left out"
                  list={list}
                  maxLength={200}
                  spellcheck={false}
                  value={column.field}
                  onInput={({ currentTarget }) =>
                    replace(column, withField(column, currentTarget.value.trim(), fields))
                  }
                />
                <Select
                  label={`Type of the column ${column.name}`}
                  isBare
                  value={column.type}
                  choices={COLUMN_TYPES.map((type) => [type, TYPE_NAMES[type]] as const)}
                  onValue={(type) =>
                    replace(column, { ...column, type: COLUMN_TYPES.find((each) => each === type) ?? 'text' })
                  }
                />
              </td>
            ))}
          </tr>
          {rows.map(({ place, cells = [] }) => (
            <tr key={place}>
              {columns.map(({ name }, index) => (
                <td key={name}>{shorten(cells[index] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Frame>
      <datalist id={list}>
        {fields
          .filter(({ type }) => type !== undefined)
          .map(({ name }) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </>
  );
}

/** Renders the first valid objects of JSON. Objects and lists in them are shown as JSON. */
export function FirstObjects({ source }: { source: Source }) {
  const objects = source.records
    .filter(({ json }) => json !== undefined)
    .slice(0, SHOWN)
    .map(({ place, json = '' }) => ({ place, data: new Map(Object.entries(JSON.parse(json) as object)) }));
  const names = [...new Set(objects.flatMap(({ data }) => [...data.keys()]))];
  if (names.length === 0) return null;
  return (
    <Frame label="First documents">
      <Head names={names} />
      <tbody>
        {objects.map(({ place, data }) => (
          <tr key={place}>
            {names.map((name) => (
              <td key={name}>{data.has(name) && shorten(textOf(data.get(name)))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Frame>
  );
}

function Frame({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table class="table compact first-records">{children}</table>
    </div>
  );
}

function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
