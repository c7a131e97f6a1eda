import { FirstObjects, FirstRows } from './first-records.tsx';
import { fieldsWithoutColumn, type Column } from './records/columns.ts';
import type { Source } from './records/source.ts';
import type { TemplateField } from './records/template-fields.ts';

/** Renders the first records, and the fields of the template that no column fills. */
export function BatchData(props: {
  source: Source;
  columns: readonly Column[];
  fields: readonly TemplateField[];
  onColumns: (columns: Column[]) => void;
}) {
  const { source, columns, fields } = props;
  if (source.format !== 'csv') return <FirstObjects source={source} />;
  const missing = fieldsWithoutColumn(columns, fields);
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
            {missing.map(({ name, need, type }) => (
              <li key={name}>
                <code>{name}</code> {need === 'required' && <span class="badge bad">Required</span>}{' '}
                {type === undefined && <span class="badge">Only in JSON</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
