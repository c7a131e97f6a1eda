import { useState } from 'preact/hooks';
import { get, post } from '../data/api.ts';
import { formatAgo, formatCountOf, formatMoment } from '../data/format.ts';
import { useRefresh } from '../data/refresh.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { CodeBlock, CopyButton } from '../ui/code-block.tsx';
import { Button, Select } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, Loaded, Status, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

interface Secret {
  secret: string;
  previous_until: string | null;
}

interface Delivery {
  id: string;
  event: string;
  url: string;
  status: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  payload?: unknown;
}

/** Renders the secret that signs webhooks, and the deliveries of webhooks if their plugin is on. */
export function Webhooks() {
  const { service } = useSession();
  const [secret, setSecret] = useState<Secret>();
  const identity = useIdentity();
  const [isRotating, setRotating] = useState(false);
  const show = () =>
    attempt(async () => setSecret(await identity.confirmed(() => get<Secret>('/studio/api/webhook-secret'))));
  return (
    <div class="page">
      <ViewHead
        title="Webhooks"
        text="When a document is finished, Platen sends a signed message to the webhook address of its request."
      />
      <section class="panel padded">
        <h2>Signing secret</h2>
        <p class="soft">
          Your programs verify messages with this secret, for example with a <code>standardwebhooks</code>{' '}
          library.
        </p>
        <div class="secret plain">
          <code>{secret?.secret ?? `whsec_${'•'.repeat(28)}`}</code>
          <Button size="small" kind="quiet" onClick={() => (secret ? setSecret(undefined) : void show())}>
            {secret ? 'Hide' : 'Show'}
          </Button>
          {secret && <CopyButton text={secret.secret} />}
          <Button size="small" onClick={() => setRotating(true)}>
            Replace the secret
          </Button>
        </div>
        {secret?.previous_until && (
          <p class="hint">
            Messages are also signed with the previous secret until {formatMoment(secret.previous_until)}.
          </p>
        )}
      </section>
      {service.plugins.includes('webhooks') && <Deliveries />}
      {isRotating && (
        <Confirm
          title="Replace the signing secret?"
          text="For 24 hours, messages are signed with both secrets, so that you have time to change your programs."
          action="Replace the secret"
          onClose={() => setRotating(false)}
          run={async () =>
            setSecret(await identity.confirmed(() => post<Secret>('/studio/api/webhook-secret/rotate')))
          }
        />
      )}
      {identity.dialog}
    </div>
  );
}

function Deliveries() {
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const status = searchParams.get('status') ?? '';
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(status && { status }),
  });
  const deliveries = useResource(`deliveries ${query}`, (signal) =>
    get<List<Delivery>>(`/v1/webhooks/deliveries?${query}`, signal),
  );
  useRefresh(deliveries, ({ data }) => data.some((delivery) => delivery.status === 'pending'));
  const [open, setOpen] = useState<string>();
  return (
    <section>
      <header class="section-head">
        <h2>Deliveries</h2>
        <Select
          label="Status"
          isBare
          value={status}
          choices={[
            ['', 'Any status'],
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
          onValue={(value) => {
            setQuery('offset', '');
            setQuery('status', value);
          }}
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
                  Add <code>"webhook": "https://…"</code> to a request to receive its result at that address.
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

function DeliveryTable({ deliveries, onOpen }: { deliveries: Delivery[]; onOpen: (id: string) => void }) {
  const columns: Column<Delivery>[] = [
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
      cell: ({ last_status, last_error }) => last_status ?? last_error ?? 'None yet',
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
    get<Delivery>(`/studio/api/deliveries/${id}`, signal),
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
