import { useState } from 'preact/hooks';
import { get, post } from '../../data/api.ts';
import { selects, useEventGroups } from '../../data/event-types.ts';
import { formatMoment } from '../../data/format.ts';
import { useRefresh } from '../../data/refresh.ts';
import { useResource } from '../../data/resource.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../data/types.ts';
import { useSubmission } from '../../ui/attempt.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button, Select } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError, Loaded, Status } from '../../ui/states.tsx';
import type { DeliveryWithPayload } from './deliveries.tsx';

/** Renders the dialog that sends the example of a type to an endpoint, and shows the response. */
export function SampleDialog(props: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { id, url, events } = props.endpoint;
  const groups = useEventGroups();
  const [chosen, setChosen] = useState('');
  const [sent, setSent] = useState<string>();
  const { isBusy, error, submit } = useSubmission();
  const send = (type: string) =>
    submit(async () => {
      const delivery = await post<WebhookDelivery>(`/v1/webhook-endpoints/${id}/test`, { type });
      setSent(delivery.id);
    });
  return (
    <Dialog title="Send a test message" size="wide" onClose={props.onClose}>
      <Loaded from={groups}>
        {(known) => {
          const types = known
            .flatMap((group) => group.types)
            .filter(({ type }) => events.some((selector) => selects(selector, type)));
          const type = chosen || (types[0]?.type ?? '');
          return (
            <form
              class="stack"
              onSubmit={(event) => {
                event.preventDefault();
                void send(type);
              }}
            >
              <p class="soft cell-sub">
                The message has example data and <code>"test": true</code>. It is sent to {url}.
              </p>
              <Select
                label="Event"
                value={type}
                hint={types.find((entry) => entry.type === type)?.summary}
                choices={types.map((entry) => [entry.type, entry.type])}
                onValue={setChosen}
              />
              <FormError error={error} />
              {sent !== undefined && <SampleResult key={sent} id={sent} />}
              <div class="row end">
                <Button onClick={props.onClose}>Close</Button>
                <Button kind="primary" type="submit" isBusy={isBusy} disabled={type === ''}>
                  {sent === undefined ? 'Send' : 'Send another'}
                </Button>
              </div>
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

/** Renders the response to a message, once there is one, and the message. */
function SampleResult({ id }: { id: string }) {
  const delivery = useResource(`delivery ${id}`, (signal) =>
    get<DeliveryWithPayload>(`/studio/api/deliveries/${id}`, signal),
  );
  useRefresh(delivery, ({ status, attempts }) => status === 'pending' && attempts === 0);
  return (
    <Loaded from={delivery}>
      {(entry) => (
        <div class="stack">
          <p role="status">
            <Status value={entry.status} /> {resultOf(entry)}
          </p>
          <CodeBlock label="Message" code={JSON.stringify(entry.payload, null, 2)} />
        </div>
      )}
    </Loaded>
  );
}

function resultOf({
  status,
  attempts,
  last_status,
  last_error,
  next_attempt_at,
}: DeliveryWithPayload): string {
  if (attempts === 0) return 'The receiver has not responded yet.';
  if (status === 'delivered') return `The receiver responded with ${last_status}.`;
  const next = next_attempt_at === null ? '' : ` The next attempt is on ${formatMoment(next_attempt_at)}.`;
  return `The attempt failed: ${last_error}.${next}`;
}
