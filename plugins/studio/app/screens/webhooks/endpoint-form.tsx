import { useState } from 'preact/hooks';
import { ApiError } from '../../data/api.ts';
import { useEventGroups } from '../../data/event-types.ts';
import type { WebhookEndpoint } from '../../data/types.ts';
import { useSubmission } from '../../ui/attempt.ts';
import { Button, Check, Field } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError, Loaded } from '../../ui/states.tsx';
import { EventChoice } from './event-choice.tsx';

/** The fields of an endpoint that people choose. */
export type EndpointFields = Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'enabled'>;

/** Renders the form of a new endpoint, or of one that is changed. */
export function EndpointForm(props: {
  endpoint?: WebhookEndpoint | undefined;
  save: (fields: EndpointFields) => Promise<void>;
  onClose: () => void;
}) {
  const { endpoint } = props;
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? []);
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [enabled, setEnabled] = useState(endpoint?.enabled ?? true);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const groups = useEventGroups();
  const { isBusy, error, submit } = useSubmission();
  const save = async () => {
    const fields = { url: url.trim(), events: [...events], description: description.trim() || null, enabled };
    setFaults({});
    try {
      await props.save(fields);
    } catch (thrown) {
      const found = faultsOf(thrown, fields);
      if (Object.keys(found).length === 0) throw thrown;
      setFaults(found);
    }
  };
  return (
    <Dialog title={endpoint ? 'Edit the endpoint' : 'New endpoint'} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(save);
        }}
      >
        <Field
          label="URL"
          hint="The address of your program, such as https://example.com/hook."
          error={faults['url']}
          value={url}
          onValue={setUrl}
          required
          maxLength={2048}
          autofocus
          autocomplete="off"
        />
        <Loaded from={groups}>
          {(known) => <EventChoice groups={known} chosen={events} onChosen={setEvents} />}
        </Loaded>
        <FormError error={faults['events'] ?? ''} />
        <Field
          label="Description (optional)"
          hint="A note for people, such as “Web shop”."
          error={faults['description']}
          value={description}
          onValue={setDescription}
          maxLength={500}
          autocomplete="off"
        />
        <Check
          label="Enabled"
          hint="A disabled endpoint receives no events, and its pending messages fail."
          checked={enabled}
          onValue={setEnabled}
        />
        <FormError error={error} />
        <div class="row end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            disabled={url.trim() === '' || events.length === 0}
          >
            {endpoint ? 'Save' : 'Create endpoint'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns what is wrong with the fields, by their names, as sentences. */
function faultsOf(thrown: unknown, { events }: EndpointFields): Record<string, string> {
  const details = thrown instanceof ApiError ? thrown.details : [];
  return Object.fromEntries(
    details.flatMap(({ path, message }) => {
      const index = /^events\[(\d+)\]$/.exec(path)?.[1];
      if (index !== undefined) return [['events', `“${events[Number(index)]}” ${message}.`]];
      const label = { url: 'URL', events: 'list of events', description: 'description' }[path];
      return label ? [[path, `The ${label} ${message}.`]] : [];
    }),
  );
}
