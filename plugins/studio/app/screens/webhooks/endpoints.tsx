import { useState } from 'preact/hooks';
import { get, patch } from '../../data/api.ts';
import { formatAgo, formatMoment } from '../../data/format.ts';
import { useList } from '../../data/list.ts';
import type { WebhookEndpoint } from '../../data/types.ts';
import { attempt } from '../../ui/attempt.ts';
import { Button } from '../../ui/controls.tsx';
import { useIdentity } from '../../ui/identity.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { ActionDialog, ENDPOINTS, type OpenAction } from './endpoint-actions.tsx';
import { SecretDialog, type ShownSecret } from './secret.tsx';

/** The reasons why an endpoint is disabled, as parts of a sentence. */
const REASONS: Record<NonNullable<WebhookEndpoint['disabled_reason']>, string> = {
  request: 'switched off',
  failing: 'no message arrived for three days',
  gone: 'the receiver responded with 410',
};

/** Renders the endpoints, which receive the events of the account, and the actions on them. */
export function Endpoints() {
  const endpoints = useList<WebhookEndpoint>('webhook-endpoints', ENDPOINTS);
  const [open, setOpen] = useState<OpenAction>();
  const [secret, setSecret] = useState<ShownSecret>();
  const identity = useIdentity();
  const show = ({ id }: WebhookEndpoint) =>
    attempt(async () =>
      setSecret(await identity.confirmed(() => get<ShownSecret>(`${ENDPOINTS}/${id}/secret`))),
    );
  const toggle = ({ id, enabled }: WebhookEndpoint) =>
    attempt(async () => {
      await identity.confirmed(() => patch(`${ENDPOINTS}/${id}`, { enabled: !enabled }));
      endpoints.reload();
      toast(enabled ? 'The endpoint receives no more events.' : 'The endpoint receives events again.');
    });
  const newButton = (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ action: 'create' })}>
      New endpoint
    </Button>
  );
  return (
    <section>
      <header class="section-head">
        <h2>Endpoints</h2>
        {endpoints.data?.data.length !== 0 && newButton}
      </header>
      <Loaded from={endpoints}>
        {({ data }) =>
          data.length > 0 ? (
            <EndpointTable
              endpoints={data}
              onOpen={setOpen}
              onShow={(endpoint) => void show(endpoint)}
              onToggle={(endpoint) => void toggle(endpoint)}
            />
          ) : (
            <Empty
              icon="webhook"
              title="No endpoints"
              text="An endpoint is a URL of yours to which Platen sends the events that you choose."
            >
              {newButton}
            </Empty>
          )
        }
      </Loaded>
      {open && (
        <ActionDialog
          open={open}
          identity={identity}
          onChanged={endpoints.reload}
          // After the open dialog is closed and has returned the focus.
          onSecret={(shown) => setTimeout(() => setSecret(shown))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
      {identity.dialog}
    </section>
  );
}

function EndpointTable(props: {
  endpoints: WebhookEndpoint[];
  onOpen: (open: OpenAction) => void;
  onShow: (endpoint: WebhookEndpoint) => void;
  onToggle: (endpoint: WebhookEndpoint) => void;
}) {
  const columns: Column<WebhookEndpoint>[] = [
    {
      label: 'URL',
      cell: ({ url, description, events }) => (
        <>
          <span class="cell-title">{url}</span>
          {description && <span class="cell-sub">{description}</span>}
          <span class="cell-sub narrow-only">{events.join(', ')}</span>
        </>
      ),
    },
    { label: 'Events', isWideOnly: true, cell: ({ events }) => events.join(', ') },
    { label: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
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
    {
      label: 'Actions',
      isActions: true,
      cell: (endpoint) => {
        const opens = (action: 'edit' | 'test' | 'rotate' | 'delete') => () =>
          props.onOpen({ action, endpoint });
        return (
          <Menu
            label={`Actions for ${endpoint.url}`}
            items={[
              endpoint.enabled && { label: 'Send a test message', action: opens('test') },
              { label: 'Edit', action: opens('edit') },
              { label: 'Show the secret', action: () => props.onShow(endpoint) },
              { label: 'Replace the secret', action: opens('rotate') },
              {
                label: endpoint.enabled ? 'Disable' : 'Enable',
                action: () => props.onToggle(endpoint),
              },
              { label: 'Delete', icon: 'trash', isDanger: true, action: opens('delete') },
            ]}
          />
        );
      },
    },
  ];
  return (
    <Table
      rows={props.endpoints}
      columns={columns}
      keyOf={({ id }) => id}
      isOff={({ enabled }) => !enabled}
      hasMenus
    />
  );
}

function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabled_reason: reason, disabled_at: disabledAt, failing_since: failingSince } = endpoint;
  if (enabled)
    return (
      <>
        <span class="status active">Enabled</span>
        {failingSince && <span class="cell-sub">Failing since {formatMoment(failingSince)}</span>}
      </>
    );
  return (
    <>
      <span class={reason === 'request' ? 'status' : 'status failed'}>Disabled</span>
      <span class="cell-sub">
        {[disabledAt && formatMoment(disabledAt), reason && REASONS[reason]].filter(Boolean).join(': ')}
      </span>
    </>
  );
}
