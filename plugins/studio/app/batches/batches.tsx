import { useState } from 'preact/hooks';
import { get, post } from '../data/api.ts';
import { capitalise, formatAgo, formatCount, formatCountOf } from '../data/format.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { forget, useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Batch, Generation, List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { titleOf } from '../ui/document-table.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { TestBadge, TestFilter } from '../ui/test-mode.tsx';
import { toast } from '../ui/toast.tsx';
import { NewBatch } from './new-batch.tsx';

/** Renders the batches with their progress, which is updated while a batch is in progress. */
export function Batches() {
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const test = searchParams.get('test') ?? '';
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(test && { test }),
  });
  const batches = useResource(`batches ${query}`, (signal) =>
    get<List<Batch>>(`/v1/batches?${query}`, signal),
  );
  const filter = (value: string) => {
    setQuery('offset', '');
    setQuery('test', value);
  };
  const mayEdit = useMay()('editor');
  const hasTemplates = useTemplateNames().size > 0;
  const [isStarting, setStarting] = useState(false);
  const [canceling, setCanceling] = useState<Batch>();
  useRefresh(batches, ({ data }) => data.some(isInProgress));
  return (
    <div class="page">
      <ViewHead title="Batches" text="A batch makes many documents in the background.">
        {mayEdit && hasTemplates && (
          <Button kind="primary" icon="plus" onClick={() => setStarting(true)}>
            New batch
          </Button>
        )}
      </ViewHead>
      <div class="toolbar">
        <TestFilter value={test} onValue={filter} />
      </div>
      <Loaded from={batches}>
        {({ data, has_more }) =>
          data.length === 0 && test !== '' ? (
            <Empty icon="search" title="Nothing matches" text="No batch matches this filter.">
              <Button onClick={() => filter('')}>Clear the filter</Button>
            </Empty>
          ) : data.length === 0 ? (
            <Empty
              icon="batch"
              title="No batches yet"
              text={
                <>
                  A batch makes a document from a template for each entry of a list. Programs start batches
                  with <code>POST /v1/generate/batch</code>.
                </>
              }
            >
              {mayEdit && !hasTemplates && (
                <LinkButton href="/studio/templates?starters">Choose a template first</LinkButton>
              )}
            </Empty>
          ) : (
            <>
              <ul class="batches">
                {data.map((batch) => (
                  <BatchRow
                    key={batch.batch_id}
                    batch={batch}
                    onCancel={mayEdit && (() => setCanceling(batch))}
                  />
                ))}
              </ul>
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          )
        }
      </Loaded>
      {isStarting && <NewBatch onClose={() => setStarting(false)} onStarted={batches.reload} />}
      {canceling && (
        <Confirm
          title="Cancel this batch?"
          text="Waiting documents will not be made and do not count against the quota. Finished documents remain."
          action="Cancel the batch"
          onClose={() => setCanceling(undefined)}
          run={async () => {
            await post(`/v1/batches/${canceling.batch_id}/cancel`);
            forget('generations');
            batches.reload();
            toast('The batch was canceled.');
          }}
        />
      )}
    </div>
  );
}

/**
 * Returns the title of a batch, such as "Invoice 7.pdf and 2 more", from the title of one of its documents.
 */
function titleOfBatch(total: number, title: string | undefined): string {
  if (title === undefined) return formatCountOf(total, 'document');
  return total === 1 ? title : `${title} and ${formatCount(total - 1)} more`;
}

function BatchRow({ batch, onCancel }: { batch: Batch; onCancel: (() => void) | false }) {
  const { total, completed, failed, canceled } = batch;
  const names = useTemplateNames();
  const newest = useResource(`generations newest of ${batch.batch_id}`, (signal) =>
    get<List<Generation>>(`/v1/generations?batch_id=${batch.batch_id}&limit=1`, signal),
  );
  const document = newest.data?.data[0];
  const done = completed + failed + canceled;
  const share = (count: number) => ({ width: `${(count / total) * 100}%` });
  const state = [
    capitalise(batch.status),
    failed > 0 && `${formatCount(failed)} failed`,
    canceled > 0 && batch.status !== 'canceled' && `${formatCount(canceled)} canceled`,
  ];
  return (
    <li class="batch panel">
      <div>
        <div class="row">
          <h2 class="cell-title">{titleOfBatch(total, document && titleOf(document, names))}</h2>
          <TestBadge test={batch.test} />
        </div>
        {document?.reference && <span class="cell-sub">{document.reference}</span>}
      </div>
      <div class="batch-head">
        <span class={`status ${batch.status === 'completed' && failed > 0 ? 'failed' : batch.status}`}>
          {state.filter(Boolean).join(', ')}
        </span>
        <span class="batch-count">
          {formatCount(completed)} of {formatCount(total)} documents
        </span>
        <time class="soft" dateTime={batch.created_at}>
          {formatAgo(batch.created_at)}
        </time>
      </div>
      <div
        class="progress"
        role="progressbar"
        aria-label="Progress of the batch"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <span class="progress-done" style={share(completed)} />
        <span class="progress-failed" style={share(failed)} />
      </div>
      <div class="row">
        <a class="button small" href={`/studio/generations?batch_id=${batch.batch_id}`}>
          Show documents
        </a>
        {batch.result_url && (
          <a class="button small" href={batch.result_url} download>
            {batch.result === 'zip' ? 'Download ZIP' : 'Download PDF'}
          </a>
        )}
        {onCancel && isInProgress(batch) && (
          <Button size="small" kind="danger" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <code class="soft">{batch.batch_id}</code>
      </div>
    </li>
  );
}
