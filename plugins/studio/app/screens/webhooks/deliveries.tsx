import { useState } from 'preact/hooks';
import { get, post } from '../../data/api.ts';
import { formatAgo, formatCountOf } from '../../data/format.ts';
import { useRefresh } from '../../data/refresh.ts';
import { useResource } from '../../data/resource.ts';
import type { List, WebhookDelivery } from '../../data/types.ts';
import { useLocation } from '../../router.ts';
import { attempt } from '../../ui/attempt.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../../ui/paging.tsx';
import { Empty, Loaded, Status } from '../../ui/states.tsx';
import { StatusFilter } from '../../ui/status-filter.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';

/** A delivery with its message. */
export type DeliveryWithPayload = WebhookDelivery & { payload: unknown };

/** Returns the response to the last attempt of a delivery, or why there was none. */
export function responseOf({ last_status, last_error }: WebhookDelivery): string {
  return String(last_status ?? last_error ?? 'None yet');
}

/** Renders the log of messages, to endpoints and to the `webhook` of requests, newest first. */
export function Deliveries() {
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const status = searchParams.get('status') ?? '';
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(status && { status }),
  });
  const deliveries = useResource(`deliveries ${query}`, (signal) =>
    get<List<WebhookDelivery>>(`/v1/webhooks/deliveries?${query}`, signal),
  );
  useRefresh(deliveries, ({ data }) => data.some((delivery) => delivery.status === 'pending'));
  const [open, setOpen] = useState<string>();
  return (
    <section>
      <header class="section-head">
        <h2>Deliveries</h2>
        <StatusFilter
          value={status}
          choices={[
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
        />
      </header>
      <Loaded from={deliveries}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty
              icon="webhook"
              title="No deliveries"
              text={
                <>
                  Messages to endpoints and to the <code>webhook</code> of a request are listed here.
                </>
              }
            />
          ) : (
            <>
              <DeliveryTable deliveries={data} onOpen={setOpen} />
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          )
        }
      </Loaded>
      {open && <DeliveryDialog id={open} onClose={() => setOpen(undefined)} onRetried={deliveries.reload} />}
    </section>
  );
}

function DeliveryTable({
  deliveries,
  onOpen,
}: {
  deliveries: WebhookDelivery[];
  onOpen: (id: string) => void;
}) {
  const columns: Column<WebhookDelivery>[] = [
    {
      label: 'Event',
      cell: ({ id, event, url, created_at }) => (
        <>
          <button type="button" class="link cell-title" onClick={() => onOpen(id)}>
            {event}
          </button>
          <span class="cell-sub ellipsis">{url}</span>
          <span class="cell-sub narrow-only">{formatAgo(created_at)}</span>
        </>
      ),
    },
    { label: 'Status', cell: ({ status }) => <Status value={status} /> },
    {
      label: 'Response',
      isWideOnly: true,
      cell: responseOf,
    },
    { label: 'Created', isNumber: true, isWideOnly: true, cell: ({ created_at }) => formatAgo(created_at) },
  ];
  return <Table rows={deliveries} columns={columns} keyOf={({ id }) => id} />;
}

function DeliveryDialog({
  id,
  onClose,
  onRetried,
}: {
  id: string;
  onClose: () => void;
  onRetried: () => void;
}) {
  const delivery = useResource(`delivery ${id}`, (signal) =>
    get<DeliveryWithPayload>(`/studio/api/deliveries/${id}`, signal),
  );
  const retry = () =>
    attempt(async () => {
      await post(`/v1/webhooks/deliveries/${id}/retry`);
      toast('The message is being sent again.');
      onRetried();
      onClose();
    });
  return (
    <Dialog
      title="Delivery"
      size="wide"
      onClose={onClose}
      actions={<Button onClick={() => void retry()}>Send again</Button>}
    >
      <Loaded from={delivery}>
        {(entry) => (
          <div class="stack">
            <p class="soft">
              {entry.event} to {entry.url}, {formatCountOf(entry.attempts, 'attempt')}
              {entry.last_error && `: ${entry.last_error}`}
            </p>
            <CodeBlock label="Message" code={JSON.stringify(entry.payload, null, 2)} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
