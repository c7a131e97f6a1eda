import { get, post } from '../data/api.ts';
import { capitalise, formatAgo, formatCount, formatCountOf } from '../data/format.ts';
import { forget, useResource } from '../data/resource.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Batch, Generation, List } from '../data/types.ts';
import { Confirm } from '../ui/dialog.tsx';
import { titleOf } from '../ui/document-table.tsx';
import { toast } from '../ui/toast.tsx';
import { Progress } from './progress.tsx';

/**
 * Returns the title of a batch, such as "Invoice 7.pdf and 2 more", from the title of one of its documents, and
 * the reference of that document.
 */
export function useBatchTitle({ batch_id, total }: Pick<Batch, 'batch_id' | 'total'>): {
  title: string;
  reference: string | null | undefined;
} {
  const names = useTemplateNames();
  const newest = useResource(`generations newest of ${batch_id}`, (signal) =>
    get<List<Generation>>(`/v1/generations?batch_id=${batch_id}&limit=1`, signal),
  );
  const document = newest.data?.data[0];
  const title = document && titleOf(document, names);
  return {
    title:
      title === undefined
        ? formatCountOf(total, 'document')
        : total === 1
          ? title
          : `${title} and ${formatCount(total - 1)} more`,
    reference: document?.reference,
  };
}

/** Renders the status of a batch, its counts and its progress. */
export function BatchState({ batch }: { batch: Batch }) {
  const { status, total, completed, failed, canceled, skipped = 0, created_at } = batch;
  const state = [
    capitalise(status),
    failed > 0 && `${formatCount(failed)} failed`,
    canceled > 0 && status !== 'canceled' && `${formatCount(canceled)} canceled`,
    skipped > 0 && `${formatCount(skipped)} left out`,
  ];
  return (
    <>
      <div class="batch-head">
        <span class={`status ${status === 'completed' && failed > 0 ? 'failed' : status}`}>
          {state.filter(Boolean).join(', ')}
        </span>
        <span class="batch-count">
          {formatCount(completed)} of {formatCount(total)} documents
        </span>
        <time class="soft" dateTime={created_at}>
          {formatAgo(created_at)}
        </time>
      </div>
      <Progress label="Progress of the batch" {...{ total, completed, failed, canceled }} />
    </>
  );
}

/** Renders the link to the archive or PDF of a batch that has one. */
export function ResultLink({ batch: { result, result_url } }: { batch: Batch }) {
  if (!result_url) return null;
  return (
    <a class="button small" href={result_url} download>
      {result === 'zip' ? 'Download ZIP' : 'Download PDF'}
    </a>
  );
}

/** Asks for confirmation, and cancels a batch. */
export function CancelBatch(props: { batch: Batch; onClose: () => void; onCanceled: () => void }) {
  return (
    <Confirm
      title="Cancel this batch?"
      text="Waiting documents will not be made and do not count against the quota. Finished documents remain."
      action="Cancel the batch"
      onClose={props.onClose}
      run={async () => {
        await post(`/v1/batches/${props.batch.batch_id}/cancel`);
        forget('generations');
        props.onCanceled();
        toast('The batch was canceled.');
      }}
    />
  );
}
