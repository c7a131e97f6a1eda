import { get } from '../data/api.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { forget, useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Generation, List } from '../data/types.ts';
import { navigate, setQuery, useLocation } from '../router.ts';
import { Button, LinkButton, Search, Select } from '../ui/controls.tsx';
import { DateRange, midnightOf } from '../ui/date-range.tsx';
import { DocumentTable, titleOf } from '../ui/document-table.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { SelectionBar, useSelection } from '../ui/selection.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { TestFilter } from '../ui/test-mode.tsx';

const STATUSES = [
  ['', 'Any status'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['queued', 'Queued'],
  ['processing', 'Processing'],
  ['canceled', 'Canceled'],
] as const;
const SOURCES = [
  ['', 'Any source'],
  ['template', 'Template'],
  ['html', 'HTML'],
  ['markdown', 'Markdown'],
  ['url', 'Web page'],
  ['react', 'React'],
] as const;
const FILTERS = ['status', 'input_type', 'template_id', 'reference', 'batch_id', 'test'] as const;

/** Renders the documents of the account, newest first, with filters. */
export function Generations() {
  const { searchParams } = useLocation();
  const names = useTemplateNames();
  const offset = readOffset(searchParams);
  const filters = FILTERS.flatMap((name) => {
    const value = searchParams.get(name);
    return value ? [[name, value]] : [];
  });
  // The URL contains days, but the service filters by time.
  const from = searchParams.get('from') ?? '';
  const to = searchParams.get('to') ?? '';
  const [after, before] = [midnightOf(from), midnightOf(to, { dayAfter: true })];
  if (after) filters.push(['created_after', after]);
  if (before) filters.push(['created_before', before]);
  const query = new URLSearchParams([...filters, ['limit', String(PAGE_SIZE)], ['offset', String(offset)]]);
  const generations = useResource(`generations ${query}`, (signal) =>
    get<List<Generation>>(`/v1/generations?${query}`, signal),
  );
  useRefresh(generations, ({ data }) => data.some(isInProgress));
  const selection = useSelection(generations.data?.data ?? []);
  const filter = (name: string, value: string) => {
    setQuery('offset', '');
    setQuery(name, value);
  };
  const mayEdit = useMay()('editor');
  const batch = searchParams.get('batch_id');
  const template = searchParams.get('template_id') ?? '';
  return (
    <div class="page">
      <ViewHead
        title="Generations"
        text="A generation is a document that this account has made. The newest come first."
      />
      <div class="toolbar">
        <Search
          label="Find by reference"
          value={searchParams.get('reference') ?? ''}
          onValue={(value) => filter('reference', value)}
        />
        <Select
          label="Status"
          isBare
          value={searchParams.get('status') ?? ''}
          choices={STATUSES}
          onValue={(value) => filter('status', value)}
        />
        <Select
          label="Source"
          isBare
          value={searchParams.get('input_type') ?? ''}
          choices={SOURCES}
          onValue={(value) => filter('input_type', value)}
        />
        {(names.size > 0 || template) && (
          <Select
            label="Template"
            isBare
            value={template}
            choices={[
              ['', 'Any template'],
              ...(template && !names.has(template) ? [[template, 'Another template'] as const] : []),
              ...names,
            ]}
            onValue={(value) => filter('template_id', value)}
          />
        )}
        <TestFilter value={searchParams.get('test') ?? ''} onValue={(value) => filter('test', value)} />
        <DateRange
          from={from}
          to={to}
          onFrom={(date) => filter('from', date)}
          onTo={(date) => filter('to', date)}
        />
        {batch && (
          <Button size="small" icon="close" title="Remove this filter" onClick={() => filter('batch_id', '')}>
            Batch {batch.slice(0, 14)}…
          </Button>
        )}
      </div>
      <Loaded from={generations}>
        {({ data, has_more }) =>
          data.length > 0 ? (
            <>
              <SelectionBar
                selection={selection}
                noun="document"
                pathOf={({ id }) => `/v1/generations/${id}`}
                fileOf={(entry) => {
                  const { url, file_name: name, content_type: type } = entry;
                  return url
                    ? { url, name: name ?? `${titleOf(entry, names)}.${type.split('/')[1]}` }
                    : undefined;
                }}
                onDeleted={() => {
                  forget('generation');
                  if (selection.rows.length === data.length) setQuery('offset', '');
                  generations.reload();
                }}
              />
              <DocumentTable documents={data} templates={names} selection={selection} />
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          ) : filters.length > 0 || offset > 0 ? (
            <Empty icon="search" title="Nothing matches" text="No document matches these filters.">
              <Button onClick={() => navigate('/studio/generations')}>Clear the filters</Button>
            </Empty>
          ) : (
            <Empty
              icon="history"
              title="No documents yet"
              text="Documents appear here when a PDF is made in the editor or through the API."
            >
              {mayEdit && (
                <LinkButton href="/studio/templates" kind="primary">
                  Open a template
                </LinkButton>
              )}
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}
