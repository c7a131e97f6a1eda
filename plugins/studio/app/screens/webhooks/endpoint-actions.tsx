import { patch, post, remove } from '../../data/api.ts';
import type { WebhookEndpoint } from '../../data/types.ts';
import { Confirm } from '../../ui/dialog.tsx';
import type { Identity } from '../../ui/identity.tsx';
import { toast } from '../../ui/toast.tsx';
import { EndpointForm, type EndpointFields } from './endpoint-form.tsx';
import { SampleDialog } from './sample.tsx';
import type { ShownSecret } from './secret.tsx';

/** The path of the endpoints in the API. */
export const ENDPOINTS = '/v1/webhook-endpoints';

/** An action that has a dialog, and its endpoint. */
export type OpenAction =
  | { action: 'create' }
  | { action: 'edit' | 'test' | 'rotate' | 'delete'; endpoint: WebhookEndpoint };

interface ActionProps {
  identity: Identity;
  /** Called when the list must be read again. */
  onChanged: () => void;
  onSecret: (secret: ShownSecret) => void;
  onClose: () => void;
}

/** Renders the dialog of an action. */
export function ActionDialog({ open, ...props }: ActionProps & { open: OpenAction }) {
  if (open.action === 'create') return <CreateDialog {...props} />;
  const parts = { ...props, endpoint: open.endpoint };
  if (open.action === 'edit') return <EditDialog {...parts} />;
  if (open.action === 'rotate') return <RotateDialog {...parts} />;
  if (open.action === 'delete') return <DeleteDialog {...parts} />;
  const close = () => {
    props.onClose();
    // The message may have failed, or disabled the endpoint.
    props.onChanged();
  };
  return <SampleDialog endpoint={open.endpoint} onClose={close} />;
}

function CreateDialog({ identity, onChanged, onSecret, onClose }: ActionProps) {
  const create = async (fields: EndpointFields) => {
    const { secret } = await identity.confirmed(() => post<{ secret: string }>(ENDPOINTS, fields));
    onClose();
    onChanged();
    onSecret({ secret, note: 'You can show it again later.' });
  };
  return <EndpointForm save={create} onClose={onClose} />;
}

function EditDialog({ endpoint, identity, onChanged, onClose }: ActionProps & { endpoint: WebhookEndpoint }) {
  const change = async (fields: EndpointFields) => {
    await identity.confirmed(() => patch(`${ENDPOINTS}/${endpoint.id}`, changesOf(endpoint, fields)));
    onClose();
    onChanged();
    toast('The endpoint was changed.');
  };
  return <EndpointForm endpoint={endpoint} save={change} onClose={onClose} />;
}

/** Returns the fields that differ, so that a change by someone else to another field stays. */
function changesOf(endpoint: WebhookEndpoint, fields: EndpointFields): Partial<EndpointFields> {
  const names = Object.keys(fields) as (keyof EndpointFields)[];
  const changed = names.filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(endpoint[name]));
  return Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

function RotateDialog({
  endpoint,
  identity,
  onSecret,
  onClose,
}: ActionProps & { endpoint: WebhookEndpoint }) {
  return (
    <Confirm
      title="Replace the secret of this endpoint?"
      text="For 24 hours, messages are signed with both secrets, so that you have time to change your program."
      action="Replace the secret"
      onClose={onClose}
      run={async () => {
        const path = `${ENDPOINTS}/${endpoint.id}/rotate-secret`;
        const { secret } = await identity.confirmed(() => post<{ secret: string }>(path));
        onSecret({ secret, note: 'For 24 hours, messages are also signed with the previous secret.' });
      }}
    />
  );
}

function DeleteDialog({
  endpoint,
  identity,
  onChanged,
  onClose,
}: ActionProps & { endpoint: WebhookEndpoint }) {
  return (
    <Confirm
      title="Delete this endpoint?"
      text="It receives no more events, and messages that are waiting for another attempt are not sent. This cannot be undone."
      action="Delete"
      onClose={onClose}
      run={async () => {
        await identity.confirmed(() => remove(`${ENDPOINTS}/${endpoint.id}`));
        onChanged();
        toast('The endpoint was deleted.');
      }}
    />
  );
}
