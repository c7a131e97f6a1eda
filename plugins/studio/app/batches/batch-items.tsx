import { get } from '../data/api.ts';
import { formatCount, formatCountOf } from '../data/format.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { useResource } from '../data/resource.ts';
import type { BatchItem, List } from '../data/types.ts';
import { useLocation } from '../router.ts';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Loaded, Status } from '../ui/states.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { failureText } from '../screens/failure-text.ts';

const COLUMNS: Column<BatchItem>[] = [
  { label: 'No.', cell: ({ index }) => formatCount(index + 1) },
  {
    label: 'Document',
    cell: ({ id, status, file_name, index, error, warnings }) => {
      const name = file_name ?? `Document ${formatCount(index + 1)}`;
      // A document that waits or was deleted has no page.
      const hasPage = status === 'completed' || status === 'failed';
      return (
        <>
          {hasPage ? (
            <a class="link cell-title" href={`/studio/generations/${id}`}>
              {name}
            </a>
          ) : (
            <span class="cell-title">{name}</span>
          )}
          {error !== null && <span class="cell-sub">{failureText(error)}</span>}
          {warnings > 0 && <span class="cell-sub">{formatCountOf(warnings, 'warning')}</span>}
        </>
      );
    },
  },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
];

/** Renders the documents of a batch a page at a time. They are reloaded while the batch is in progress. */
export function BatchItems({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const status = searchParams.get('status') ?? '';
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(status && { status }),
  });
  const items = useResource(`batch items ${id} ${query}`, (signal) =>
    get<List<BatchItem>>(`/v1/batches/${id}/items?${query}`, signal),
  );
  useRefresh(items, ({ data }) => isOpen || data.some(isInProgress));
  return (
    <section>
      <header class="section-head">
        <h2>Documents</h2>
        <StatusFilter
          value={status}
          choices={[
            ['queued', 'Queued'],
            ['processing', 'Processing'],
            ['completed', 'Completed'],
            ['failed', 'Failed'],
            ['canceled', 'Canceled'],
          ]}
        />
      </header>
      <Loaded from={items}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <p class="note">No document has this status.</p>
          ) : (
            <>
              <Table rows={data} columns={COLUMNS} keyOf={(item) => item.id} isCompact />
              <Paging offset={offset} count={data.length} hasMore={has_more} labels={['Previous', 'Next']} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
