import { formatAgo, formatCountOf, formatDuration, formatMoment, formatSize } from '../data/format.ts';
import type { Generation } from '../data/types.ts';
import { Icon } from './icon.tsx';
import { PageImage } from './page-image.tsx';
import { Status } from './states.tsx';

const SOURCES: Record<Generation['input_type'], string> = {
  html: 'HTML',
  template: 'Template',
  react: 'React',
  markdown: 'Markdown',
  url: 'Web page',
};

/** Returns the name under which a document is shown. */
export function titleOf(document: Generation, templates: ReadonlyMap<string, string>): string {
  const template = document.template_id ? templates.get(document.template_id) : undefined;
  return document.file_name ?? template ?? `${SOURCES[document.input_type]} document`;
}

/** Returns the name of a source. */
export function sourceOf({ input_type }: Generation): string {
  return SOURCES[input_type];
}

/** Renders generations as rows with a small image of their first page. `templates` maps ids to names. */
export function DocumentTable(props: { documents: Generation[]; templates: ReadonlyMap<string, string> }) {
  return (
    <div class="table-frame">
      <table class="table documents">
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">Status</th>
            <th scope="col" class="number wide-only">
              Pages
            </th>
            <th scope="col" class="number wide-only">
              Size
            </th>
            <th scope="col" class="number wide-only">
              Time
            </th>
            <th scope="col" class="number wide-only">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {props.documents.map((entry) => (
            <tr key={entry.id}>
              <td>
                <a class="document-link" href={`/studio/generations/${entry.id}`}>
                  <span class="thumb">
                    {entry.status === 'completed' && entry.content_type === 'application/pdf' ? (
                      <PageImage url={`/v1/generations/${entry.id}/pages/1.png?width=120`} alt="" />
                    ) : (
                      <Icon name={entry.status === 'failed' ? 'warning' : 'template'} />
                    )}
                  </span>
                  <span class="document-text">
                    <span class="cell-title">{titleOf(entry, props.templates)}</span>
                    <span class="cell-sub">
                      {[
                        sourceOf(entry),
                        entry.reference,
                        entry.batch_id && `Batch, no. ${(entry.index ?? 0) + 1}`,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                    <span class="cell-sub narrow-only">{formatAgo(entry.created_at)}</span>
                  </span>
                </a>
              </td>
              <td>
                <Status value={entry.status} />
              </td>
              <td class="number wide-only">
                {entry.pages === null ? '' : formatCountOf(entry.pages, 'page')}
              </td>
              <td class="number wide-only">{entry.file_size === null ? '' : formatSize(entry.file_size)}</td>
              <td class="number wide-only">
                {entry.generation_time_ms === null ? '' : formatDuration(entry.generation_time_ms)}
              </td>
              <td class="number wide-only">
                <time dateTime={entry.created_at} title={formatMoment(entry.created_at)}>
                  {formatAgo(entry.created_at)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
