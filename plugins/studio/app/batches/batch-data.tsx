import { FirstObjects, FirstRows } from './first-records.tsx';
import { fieldsWithoutColumn, unreadColumns, type Column } from './records/columns.ts';
import type { Source } from './records/source.ts';
import type { TemplateField } from './records/template-fields.ts';

/** Renders the first records, and the fields of the template that no column fills. */
export function BatchData(props: {
  source: Source;
  columns: readonly Column[];
  fields: readonly TemplateField[];
  /** The texts that read the data: the HTML, its header and footer, and the template of the file names. */
  readers: readonly string[];
  onColumns: (columns: Column[]) => void;
}) {
  const { source, columns, fields, readers } = props;
  if (source.format !== 'csv') return <FirstObjects source={source} />;
  const missing = fieldsWithoutColumn(columns, fields);
  const unread = unreadColumns(columns, { fields, sources: readers });
  return (
    <>
      <p class="hint">
        Each column becomes a field of the data. A dot makes a nested field, such as customer.name. An empty
        field leaves the column out.
      </p>
      <FirstRows {...props} />
      {missing.length > 0 && (
        <div>
          <p class="soft">No column fills these fields of the template:</p>
          <ul class="row missing-fields" aria-label="Fields without a column">
            {missing.map(({ name, need, type, example }) => (
              <li key={name}>
                <code>{name}</code> {need === 'required' && <span class="badge bad">Required</span>}{' '}
                {example !== undefined && (
                  <span class="soft">
                    in columns such as <code>{example}</code>
                  </span>
                )}
                {type === undefined && example === undefined && <span class="badge">Only in JSON</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {unread.length > 0 && (
        <p class="hint">
          The template does not read {unread.length === 1 ? 'this column' : 'these columns'}:{' '}
          {unread.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </>
  );
}
