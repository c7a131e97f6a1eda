import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { DEFAULT_KEY_SCOPES, KEY_SCOPES } from '../data/key-scopes.ts';
import type { ApiKey } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Check, Field, TextArea } from '../ui/controls.tsx';
import { midnightOf } from '../ui/date-range.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { withSelected } from '../ui/selection.tsx';
import { FormError } from '../ui/states.tsx';

/** Renders the form that creates a key, with its limits. */
export function NewKeyForm(props: { onCreated: (key: ApiKey) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(() => new Set(DEFAULT_KEY_SCOPES));
  const [isTest, setTest] = useState(false);
  const [isLimited, setLimited] = useState(false);
  const [expiry, setExpiry] = useState('');
  const [addresses, setAddresses] = useState('');
  const identity = useIdentity();
  const { isBusy, error, submit } = useSubmission();
  const toggle = (scope: string, isOn: boolean) => setScopes(withSelected(scopes, [scope], isOn));
  const create = async () => {
    const networks = addresses.split(/[\s,]+/).filter(Boolean);
    const fields = {
      name: name.trim(),
      ...(isTest && { test: true }),
      ...(isLimited && { scopes: [...scopes] }),
      ...(expiry !== '' && { expires_at: midnightOf(expiry) }),
      ...(networks.length > 0 && { allowed_ips: networks }),
    };
    props.onCreated(await identity.confirmed(() => post<ApiKey>('/studio/api/keys', fields)));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(create);
      }}
    >
      {identity.dialog}
      <Field
        label="Name"
        hint="Name the program that will use the key, such as “Invoicing (production)”."
        value={name}
        onValue={setName}
        required
        maxLength={100}
        autofocus
        autocomplete="off"
      />
      <Check
        label="Test key"
        hint="Its documents are marked TEST, cost no quota, and are deleted after at most one day."
        checked={isTest}
        onValue={setTest}
      />
      <Check
        label="Limit what the key may do"
        hint="Without limits, it may do everything except manage keys and read the audit log."
        checked={isLimited}
        onValue={setLimited}
      />
      {isLimited && (
        <fieldset class="choices">
          <legend class="visually-hidden">Scopes</legend>
          {KEY_SCOPES.map(([scope, permits]) => (
            <Check
              key={scope}
              label={permits}
              hint={scope}
              checked={scopes.has(scope)}
              onValue={(isOn) => toggle(scope, isOn)}
            />
          ))}
        </fieldset>
      )}
      <Field
        label="Expires on"
        hint="The key stops working when this day begins. Leave it empty for a key that does not expire."
        type="date"
        value={expiry}
        onValue={setExpiry}
      />
      <TextArea
        label="Allowed addresses"
        hint="IP addresses or networks such as 203.0.113.0/24, one per line. Leave it empty to allow all."
        value={addresses}
        onValue={setAddresses}
        rows={2}
        isCode
      />
      <FormError error={error} />
      <div class="row end">
        <Button onClick={props.onClose}>Cancel</Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={isBusy}
          disabled={name.trim() === '' || (isLimited && scopes.size === 0)}
        >
          Create key
        </Button>
      </div>
    </form>
  );
}
