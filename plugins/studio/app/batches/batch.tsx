import { useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { formatCount, formatCountOf, formatMoment } from '../data/format.ts';
import { isInProgress, useRefresh } from '../data/refresh.ts';
import { remembered, useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import type { Batch } from '../data/types.ts';
import { Button } from '../ui/controls.tsx';
import { FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { TestBadge } from '../ui/test-mode.tsx';
import { failureText } from '../screens/failure-text.ts';
import type { ViewProps } from '../view-props.ts';
import { BatchItems } from './batch-items.tsx';
import { BatchState, CancelBatch, ResultLink, useBatchTitle } from './batch-parts.tsx';
import { Faults, invalidRecordsKey } from './faults.tsx';

/** Renders a batch: its progress, its result, and its documents in the order of the data. */
export function BatchView({ params: [id = ''] }: ViewProps) {
  const batch = useResource(`batch ${id}`, (signal) => get<Batch>(`/v1/batches/${id}`, signal));
  useRefresh(batch, isInProgress);
  return (
    <div class="page">
      <Loaded from={batch}>{(data) => <Details key={id} batch={data} reload={batch.reload} />}</Loaded>
    </div>
  );
}

function Details({ batch, reload }: { batch: Batch; reload: () => void }) {
  const { batch_id: id, skipped = 0, result_error } = batch;
  const { title } = useBatchTitle(batch);
  const mayEdit = useMay()('editor');
  const [isCanceling, setCanceling] = useState(false);
  const pace = paceOf(batch);
  return (
    <>
      <p class="crumb">
        <a href="/studio/batches">Batches</a>
      </p>
      <ViewHead title={title}>
        <ResultLink batch={batch} />
        {mayEdit && isInProgress(batch) && (
          <Button kind="danger" onClick={() => setCanceling(true)}>
            Cancel
          </Button>
        )}
      </ViewHead>
      <div class="stack">
        <section class="batch panel" aria-label="Progress">
          <BatchState batch={batch} />
          <div class="row">
            <TestBadge test={batch.test} />
            {pace && <span class="soft">{pace}</span>}
            <code class="soft">{id}</code>
          </div>
        </section>
        <FormError error={result_error ? failureText(result_error) : ''} />
        <Faults
          title={`${formatCountOf(skipped, 'record')} of the data ${skipped === 1 ? 'was' : 'were'} left out:`}
          sentences={remembered<string[]>(invalidRecordsKey(id)) ?? []}
        />
        <BatchItems id={id} isOpen={isInProgress(batch)} />
      </div>
      {isCanceling && <CancelBatch batch={batch} onClose={() => setCanceling(false)} onCanceled={reload} />}
    </>
  );
}

/** Describes the speed of a batch, such as "12.5 documents per second, until 22 Nov, 09:41". */
function paceOf({ documents_per_second: rate, expected_end: end }: Batch): string | undefined {
  if (!rate) return undefined;
  return `${formatCount(rate)} documents per second${end ? `, until about ${formatMoment(end)}` : ''}`;
}
