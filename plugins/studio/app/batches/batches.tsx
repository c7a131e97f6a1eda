import { useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Batch, List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, Loaded, ViewHead } from '../ui/states.tsx';
import { TestBadge, TestFilter } from '../ui/test-mode.tsx';
import { BatchState, CancelBatch, ResultLink, useBatchTitle } from './batch-parts.tsx';
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
                  A batch makes a document from a template for each row of a file. Programs start batches with{' '}
                  <code>POST /v1/batches</code>.
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
      {isStarting && <NewBatch onClose={() => setStarting(false)} />}
      {canceling && (
        <CancelBatch batch={canceling} onClose={() => setCanceling(undefined)} onCanceled={batches.reload} />
      )}
    </div>
  );
}

function BatchRow({ batch, onCancel }: { batch: Batch; onCancel: (() => void) | false }) {
  const { title, reference } = useBatchTitle(batch);
  return (
    <li class="batch panel">
      <div>
        <div class="row">
          <h2 class="cell-title">
            <a class="link" href={`/studio/batches/${batch.batch_id}`}>
              {title}
            </a>
          </h2>
          <TestBadge test={batch.test} />
        </div>
        {reference && <span class="cell-sub">{reference}</span>}
      </div>
      <BatchState batch={batch} />
      <div class="row">
        <a class="button small" href={`/studio/generations?batch_id=${batch.batch_id}`}>
          Show documents
        </a>
        <ResultLink batch={batch} />
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
