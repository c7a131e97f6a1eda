import { useState } from 'preact/hooks';
import { get, post, put } from '../data/api.ts';
import { capitalise, formatCount, formatDay, formatMoment } from '../data/format.ts';
import { PLANS } from '../data/plans.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { attempt, useSubmission } from '../ui/attempt.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { Button, Field, Search, Select } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { useIdentity } from '../ui/identity.tsx';
import { Empty, FormError, Loaded, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';

interface ManagedAccount {
  id: string;
  email: string;
  plan: string;
  monthly_limit: number | null;
  used: number;
  limit: number | null;
  suspended_at: string | null;
  role: 'owner' | 'operator' | null;
  created_at: string;
}

interface SignInLink {
  email: string;
  url: string;
  expires_at: string;
}

const PLAN_CHOICES = PLANS.map((name) => [name, capitalise(name)] as const);

/**
 * Renders all accounts of the service, with actions that change their plans and limits, suspend them and
 * create sign-in links.
 */
export function Accounts() {
  const { searchParams } = useLocation();
  const search = searchParams.get('search') ?? '';
  const offset = readOffset(searchParams);
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(search && { search }),
  });
  const accounts = useResource(`accounts ${query}`, (signal) =>
    get<List<ManagedAccount>>(`/studio/api/accounts?${query}`, signal),
  );
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<ManagedAccount>();
  const [suspending, setSuspending] = useState<ManagedAccount>();
  const [link, setLink] = useState<SignInLink>();
  const { person, account: own } = useSession();
  const identity = useIdentity();

  const suspend = async ({ id, email }: ManagedAccount, suspended: boolean) => {
    await identity.confirmed(() => put(`/studio/api/accounts/${id}`, { suspended }));
    toast(suspended ? `${email} is suspended.` : `${email} is active again.`);
    accounts.reload();
  };
  const invite = ({ id, email }: Pick<ManagedAccount, 'id' | 'email'>) =>
    attempt(async () =>
      setLink({
        email,
        ...(await identity.confirmed(() =>
          post<Omit<SignInLink, 'email'>>(`/studio/api/accounts/${id}/link`),
        )),
      }),
    );

  const columns: Column<ManagedAccount>[] = [
    {
      label: 'Account',
      cell: ({ email, suspended_at, created_at }) => (
        <>
          <span class="cell-title">{email}</span>
          <span class="cell-sub">
            {suspended_at ? `Suspended since ${formatDay(suspended_at)}` : `Since ${formatDay(created_at)}`}
          </span>
        </>
      ),
    },
    { label: 'Plan', isWideOnly: true, cell: ({ plan }) => capitalise(plan) },
    {
      label: 'This month',
      isNumber: true,
      cell: ({ used, limit }) =>
        limit === null ? formatCount(used) : `${formatCount(used)} of ${formatCount(limit)}`,
    },
    {
      label: 'Sign-in',
      isWideOnly: true,
      cell: ({ role }) => (role === null ? 'None yet' : capitalise(role)),
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (account) => (
        <Menu
          label={`Actions for ${account.email}`}
          items={[
            { label: 'Plan and limit', icon: 'gauge', action: () => setEditing(account) },
            account.role !== 'operator' && {
              label: 'Create a sign-in link',
              icon: 'key',
              action: () => void invite(account),
            },
            account.suspended_at
              ? {
                  label: 'End the suspension',
                  icon: 'restore',
                  action: () => void attempt(() => suspend(account, false)),
                }
              : ![person.id, own.id].includes(account.id) && {
                  label: 'Suspend',
                  icon: 'close',
                  isDanger: true,
                  action: () => setSuspending(account),
                },
          ]}
        />
      ),
    },
  ];

  return (
    <div class="page">
      <ViewHead
        title="Accounts"
        text="Manage the plans, limits and sign-in links of all accounts on this server."
      >
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          New account
        </Button>
      </ViewHead>
      <div class="toolbar">
        <Search
          label="Search by email"
          value={search}
          onValue={(value) => {
            setQuery('offset', '');
            setQuery('search', value);
          }}
        />
      </div>
      <Loaded from={accounts}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty icon="search" title="No account found" text="Try another part of the email address." />
          ) : (
            <>
              <Table
                rows={data}
                columns={columns}
                keyOf={({ id }) => id}
                isOff={({ suspended_at }) => suspended_at !== null}
                hasMenus
              />
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          )
        }
      </Loaded>
      {(isCreating || editing) && (
        <AccountForm
          account={editing}
          onClose={() => {
            setCreating(false);
            setEditing(undefined);
          }}
          onSaved={accounts.reload}
          onCreated={(account) => void invite(account)}
        />
      )}
      {suspending && (
        <Confirm
          title={`Suspend ${suspending.email}?`}
          text="Its API keys and sessions stop working at once, and the waiting documents of its batches fail. Its data remains, and you can end the suspension at any time."
          action="Suspend"
          onClose={() => setSuspending(undefined)}
          run={() => suspend(suspending, true)}
        />
      )}
      {link && (
        <Dialog
          title="Sign-in link"
          onClose={() => setLink(undefined)}
          actions={<Button onClick={() => setLink(undefined)}>Done</Button>}
        >
          <div class="stack">
            <p class="soft">
              Send this link to {link.email}. It works once, until {formatMoment(link.expires_at)}, and is not
              shown again.
            </p>
            <div class="secret plain">
              <code>{link.url}</code>
              <CopyButton text={link.url} kind="primary" />
            </div>
          </div>
        </Dialog>
      )}
      {identity.dialog}
    </div>
  );
}

function AccountForm(props: {
  account: ManagedAccount | undefined;
  onClose: () => void;
  onSaved: () => void;
  onCreated: (account: ManagedAccount) => void;
}) {
  const { account, onClose, onSaved, onCreated } = props;
  const [email, setEmail] = useState('');
  const [plan, setPlan] = useState(account?.plan ?? 'free');
  const [limit, setLimit] = useState(account?.monthly_limit?.toString() ?? '');
  const { isBusy, error, submit } = useSubmission();
  const identity = useIdentity();
  const save = async () => {
    if (account)
      await identity.confirmed(() =>
        put(`/studio/api/accounts/${account.id}`, {
          plan,
          monthly_limit: limit.trim() === '' ? null : Number(limit),
        }),
      );
    else
      onCreated(
        await identity.confirmed(() => post<ManagedAccount>('/studio/api/accounts', { email, plan })),
      );
    onSaved();
    onClose();
  };
  return (
    <Dialog title={account ? account.email : 'New account'} onClose={onClose}>
      {identity.dialog}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(save);
        }}
      >
        {!account && <Field label="Email" type="email" required value={email} onValue={setEmail} autofocus />}
        <Select label="Plan" value={plan} choices={PLAN_CHOICES} onValue={setPlan} />
        {account && (
          <Field
            label="Monthly limit"
            type="number"
            hint="Leave the field empty for the limit of the plan."
            value={limit}
            onValue={setLimit}
          />
        )}
        <FormError error={error} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {account ? 'Save' : 'Create the account'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
