import { formatAgo, formatCountOf, formatDuration, formatMoment, formatSize } from '../data/format.ts';
import type { Generation } from '../data/types.ts';
import { Icon } from './icon.tsx';
import { PageImage } from './page-image.tsx';
import type { Selection } from './selection.tsx';
import { Status } from './states.tsx';
import { Table, type Column } from './table.tsx';
import { TestBadge } from './test-mode.tsx';

const SOURCES: Record<Generation['input_type'], string> = {
  html: 'HTML',
  template: 'Template',
  react: 'React',
  markdown: 'Markdown',
  url: 'Web page',
};

/**
 * Returns the name under which a document is shown: the name of its file or template, or else its reference.
 */
export function titleOf(document: Generation, templates: ReadonlyMap<string, string>): string {
  const template = document.template_id ? templates.get(document.template_id) : undefined;
  return document.file_name ?? template ?? (document.reference || `${SOURCES[document.input_type]} document`);
}

export function sourceOf({ input_type }: Generation): string {
  return SOURCES[input_type];
}

/**
 * Renders generations as a table with a small image of each first page. `templates` maps the ids of templates
 * to their names.
 */
export function DocumentTable(props: {
  documents: Generation[];
  templates: ReadonlyMap<string, string>;
  selection?: Selection<Generation>;
}) {
  const { selection, templates } = props;
  const columns: Column<Generation>[] = [
    { label: 'Document', cell: (entry) => <DocumentCell document={entry} templates={props.templates} /> },
    { label: 'Status', cell: ({ status }) => <Status value={status} /> },
    {
      label: 'Pages',
      isNumber: true,
      isWideOnly: true,
      cell: ({ pages }) => pages !== null && formatCountOf(pages, 'page'),
    },
    {
      label: 'Size',
      isNumber: true,
      isWideOnly: true,
      cell: ({ file_size }) => file_size !== null && formatSize(file_size),
    },
    {
      label: 'Time',
      isNumber: true,
      isWideOnly: true,
      cell: ({ generation_time_ms: ms }) => ms !== null && formatDuration(ms),
    },
    {
      label: 'Created',
      isNumber: true,
      isWideOnly: true,
      cell: ({ created_at }) => (
        <time dateTime={created_at} title={formatMoment(created_at)}>
          {formatAgo(created_at)}
        </time>
      ),
    },
  ];
  return (
    <Table
      rows={props.documents}
      columns={columns}
      keyOf={({ id }) => id}
      isCompact
      {...(selection && {
        selection: { ...selection, nameOf: (entry: Generation) => titleOf(entry, templates) },
      })}
    />
  );
}

function DocumentCell(props: { document: Generation; templates: ReadonlyMap<string, string> }) {
  const { id, status, content_type, file_name, template_id, reference, batch_id, index, created_at, test } =
    props.document;
  const title = titleOf(props.document, props.templates);
  // A file name is the title, so the template is named below it.
  const template = file_name && template_id ? props.templates.get(template_id) : undefined;
  return (
    <a class="document-link" href={`/studio/generations/${id}`}>
      <span class="thumb">
        {status === 'completed' && content_type === 'application/pdf' ? (
          <PageImage url={`/v1/generations/${id}/pages/1.png?width=120`} alt="" />
        ) : (
          <Icon name={status === 'failed' ? 'warning' : 'template'} />
        )}
      </span>
      <span class="document-text">
        <span class="cell-title">{title}</span> <TestBadge test={test} />
        <span class="cell-sub">
          {[
            template ?? sourceOf(props.document),
            reference !== title && reference,
            batch_id && `Batch, no. ${(index ?? 0) + 1}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span class="cell-sub narrow-only">{formatAgo(created_at)}</span>
      </span>
    </a>
  );
}
