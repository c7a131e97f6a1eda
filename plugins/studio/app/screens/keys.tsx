import { useState } from 'preact/hooks';
import { post, put, remove } from '../data/api.ts';
import { formatAgo, formatDay } from '../data/format.ts';
import { readKeys, type KeyStatus } from '../data/keys.ts';
import { useResource } from '../data/resource.ts';
import type { ApiKey } from '../data/types.ts';
import { attempt, useSubmission } from '../ui/attempt.ts';
import { CodeBlock, CopyButton } from '../ui/code-block.tsx';
import { Button, Field, Segments } from '../ui/controls.tsx';
import { Menu } from '../ui/menu.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { DEFAULT_KEY_SCOPES } from '../data/key-scopes.ts';
import { NewKeyForm } from './new-key.tsx';

/** The time in which the service can restore a revoked key. */
const UNDO_MS = 10_000;

const STATUSES = [
  ['active', 'Active'],
  ['revoked', 'Revoked'],
] as const;

/**
 * Renders the API keys of the account, which can be created, renamed and revoked. Revocation can be undone
 * for ten seconds.
 */
export function Keys() {
  const [status, setStatus] = useState<KeyStatus>('active');
  const [pages, setPages] = useState(1);
  const keys = useResource(`keys ${status}`, (signal) => readKeys(status, { pages, signal }));
  const [dialog, setDialog] = useState<'create' | ApiKey>();

  const restore = (key: ApiKey) =>
    attempt(async () => {
      await post(`/studio/api/keys/${key.id}/restore`);
      keys.reload();
      toast(`“${key.name}” works again.`);
    });
  const revoke = (key: ApiKey) =>
    attempt(async () => {
      await remove(`/studio/api/keys/${key.id}`);
      keys.reload();
      toast(`“${key.name}” no longer works.`, {
        action: { label: 'Undo', run: () => void restore(key) },
        lastsMs: UNDO_MS,
      });
    });

  return (
    <div class="page">
      <ViewHead
        title="API keys"
        text="Programs authenticate with a key. You can limit what a key may do, for how long, and from where."
      >
        <Button kind="primary" icon="plus" onClick={() => setDialog('create')}>
          Create key
        </Button>
      </ViewHead>
      <div class="toolbar">
        <Segments
          label="Keys"
          value={status}
          choices={STATUSES}
          onValue={(next) => {
            setStatus(next);
            setPages(1);
          }}
        />
      </div>
      <Loaded from={keys}>
        {({ data, has_more }) => (
          <>
            {data.length > 0 ? (
              <KeyTable keys={data} onRename={setDialog} onRevoke={(key) => void revoke(key)} />
            ) : (
              <NoKeys status={status} onCreate={() => setDialog('create')} />
            )}
            {has_more && (
              <p class="table-note">
                <Button
                  isBusy={keys.isLoading}
                  onClick={() => {
                    setPages(pages + 1);
                    keys.reload();
                  }}
                >
                  Show more
                </Button>
              </p>
            )}
          </>
        )}
      </Loaded>
      {dialog === 'create' && (
        <CreateKey
          onClose={() => {
            setDialog(undefined);
            setStatus('active');
            keys.reload();
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <RenameKey apiKey={dialog} onRenamed={keys.reload} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

function NoKeys({ status, onCreate }: { status: KeyStatus; onCreate: () => void }) {
  if (status === 'revoked')
    return <Empty icon="key" title="No revoked keys" text="Keys that no longer work are listed here." />;
  return (
    <Empty icon="key" title="No keys" text="Create a key to print documents from your own programs.">
      <Button kind="primary" onClick={onCreate}>
        Create key
      </Button>
    </Empty>
  );
}

/** Describes the limits of a key; empty for a key without limits. */
function describeLimits({
  scopes,
  expires_at,
  allowed_ips,
  test,
}: Pick<ApiKey, 'scopes' | 'expires_at' | 'allowed_ips' | 'test'>): string {
  const isDefault =
    scopes.length === DEFAULT_KEY_SCOPES.length &&
    DEFAULT_KEY_SCOPES.every((scope) => scopes.includes(scope));
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return [
    ...(test ? ['test key'] : []),
    ...(isDefault ? [] : [scopes.join(', ')]),
    ...(expires_at === null ? [] : [`${hasExpired ? 'expired' : 'expires'} ${formatDay(expires_at)}`]),
    ...(allowed_ips === null ? [] : [`from ${allowed_ips.join(', ')}`]),
  ].join(' · ');
}

function KeyTable(props: {
  keys: ApiKey[];
  onRename: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}) {
  const columns: Column<ApiKey>[] = [
    {
      label: 'Name',
      cell: ({ last_used_at, ...key }) => (
        <>
          <span class="cell-title">{key.name}</span>
          {describeLimits(key) && <span class="cell-sub">{describeLimits(key)}</span>}
          <span class="cell-sub narrow-only">
            {last_used_at ? `Used ${formatAgo(last_used_at)}` : 'Never used'}
          </span>
        </>
      ),
    },
    { label: 'Key', cell: ({ hint }) => <code>…{hint}</code> },
    {
      label: 'Created',
      isWideOnly: true,
      cell: ({ created_at }) => <time dateTime={created_at}>{formatDay(created_at)}</time>,
    },
    {
      label: 'Last used',
      isWideOnly: true,
      cell: ({ last_used_at }) =>
        last_used_at ? <time dateTime={last_used_at}>{formatAgo(last_used_at)}</time> : 'Never',
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (key) =>
        key.revoked_at ? (
          <span>Revoked {formatDay(key.revoked_at)}</span>
        ) : (
          <Menu
            label={`Actions for ${key.name}`}
            items={[
              { label: 'Rename', action: () => props.onRename(key) },
              { label: 'Revoke', icon: 'trash', isDanger: true, action: () => props.onRevoke(key) },
            ]}
          />
        ),
    },
  ];
  return (
    <Table
      rows={props.keys}
      columns={columns}
      keyOf={({ id }) => id}
      isOff={({ revoked_at }) => revoked_at !== null}
      hasMenus
    />
  );
}

function CreateKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<ApiKey>();
  if (created?.key)
    return (
      <Dialog
        title="Copy your key now"
        size="wide"
        onClose={onClose}
        actions={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <div class="stack">
          <p class="soft">
            This is the only time that the key “{created.name}” is shown. The service stores only a hash of
            it.
          </p>
          <div class="secret">
            <code>{created.key}</code>
            <CopyButton text={created.key} label="Copy key" kind="primary" />
          </div>
          <p class="label">Try it</p>
          <CodeBlock
            label="curl example"
            code={`curl -fsS ${location.origin}/v1/generate \\\n  -H 'Authorization: Bearer ${created.key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"html": "<h1>Hello from Platen</h1>", "output": "binary"}' \\\n  -o hello.pdf`}
          />
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <NewKeyForm onCreated={setCreated} onClose={onClose} />
    </Dialog>
  );
}

function RenameKey(props: { apiKey: ApiKey; onRenamed: () => void; onClose: () => void }) {
  return (
    <Dialog title="Rename the key" onClose={props.onClose}>
      <KeyForm
        name={props.apiKey.name}
        action="Rename"
        save={async (name) => {
          await put(`/studio/api/keys/${props.apiKey.id}`, { name });
          props.onRenamed();
          props.onClose();
        }}
        onClose={props.onClose}
      />
    </Dialog>
  );
}

/** Renders the form that names a key. `save` receives the name without surrounding white space. */
function KeyForm(props: {
  name: string;
  action: string;
  save: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(props.name);
  const { isBusy, error, submit } = useSubmission();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(() => props.save(name.trim()));
      }}
    >
      <Field
        label="Name"
        value={name}
        onValue={setName}
        required
        maxLength={100}
        autofocus
        autocomplete="off"
      />
      <FormError error={error} />
      <div class="row end">
        <Button onClick={props.onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={name.trim() === ''}>
          {props.action}
        </Button>
      </div>
    </form>
  );
}
