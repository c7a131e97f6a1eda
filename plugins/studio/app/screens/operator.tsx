import { useState } from 'preact/hooks';
import { get, post, put, reasonOf } from '../data/api.ts';
import { formatCount, formatDay, formatDuration, formatMoment } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { CopyButton } from '../ui/code-block.tsx';
import { Button, Field, Search, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, FormError, Loaded, Status, ViewHead } from '../ui/states.tsx';
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

interface Health {
  status: string;
  version: string;
  uptime_seconds: number;
  parts: { name: string; ok: boolean; text: string }[];
}

interface SignInLink {
  email: string;
  url: string;
  expires_at: string;
}

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const PLANS = ['free', 'starter', 'pro', 'enterprise'].map((name) => [name, titled(name)] as const);

/** Renders all accounts of the service: plans, limits, suspension and sign-in links. */
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
  const [link, setLink] = useState<SignInLink>();

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      toast(reasonOf(error), { kind: 'error' });
    }
  };
  const suspend = (account: ManagedAccount) =>
    attempt(async () => {
      await put(`/studio/api/accounts/${account.id}`, { suspended: account.suspended_at === null });
      toast(
        account.suspended_at === null ? `${account.email} is suspended.` : `${account.email} can work again.`,
      );
      accounts.reload();
    });
  const invite = ({ id, email }: ManagedAccount) =>
    attempt(async () =>
      setLink({ email, ...(await post<Omit<SignInLink, 'email'>>(`/studio/api/accounts/${id}/link`)) }),
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
    { label: 'Plan', isWideOnly: true, cell: ({ plan }) => titled(plan) },
    {
      label: 'This month',
      isNumber: true,
      cell: ({ used, limit }) =>
        limit === null ? formatCount(used) : `${formatCount(used)} of ${formatCount(limit)}`,
    },
    { label: 'Sign-in', isWideOnly: true, cell: ({ role }) => (role === null ? 'None yet' : titled(role)) },
    {
      label: 'Actions',
      isActions: true,
      cell: (account) => (
        <Menu
          label={`Actions for ${account.email}`}
          items={[
            { label: 'Plan and limit', action: () => setEditing(account) },
            { label: 'Create a sign-in link', icon: 'key', action: () => void invite(account) },
            {
              label: account.suspended_at ? 'End the suspension' : 'Suspend',
              isDanger: account.suspended_at === null,
              action: () => void suspend(account),
            },
          ]}
        />
      ),
    },
  ];

  return (
    <div class="page">
      <ViewHead title="Accounts" text="Everyone who uses this server.">
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
              Send it to {link.email}. It works once, until {formatMoment(link.expires_at)}, and is not shown
              again.
            </p>
            <div class="secret plain">
              <code>{link.url}</code>
              <CopyButton text={link.url} kind="primary" />
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function AccountForm(props: {
  account: ManagedAccount | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { account, onClose, onSaved } = props;
  const [email, setEmail] = useState('');
  const [plan, setPlan] = useState(account?.plan ?? 'free');
  const [limit, setLimit] = useState(account?.monthly_limit?.toString() ?? '');
  const [error, setError] = useState('');
  const save = async (event: Event) => {
    event.preventDefault();
    try {
      if (account)
        await put(`/studio/api/accounts/${account.id}`, {
          plan,
          monthly_limit: limit.trim() === '' ? null : Number(limit),
        });
      else await post('/studio/api/accounts', { email, plan });
      onSaved();
      onClose();
    } catch (problem) {
      setError(reasonOf(problem));
    }
  };
  return (
    <Dialog title={account ? account.email : 'New account'} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        {!account && <Field label="Email" type="email" required value={email} onValue={setEmail} autofocus />}
        <Select label="Plan" value={plan} choices={PLANS} onValue={setPlan} />
        {account && (
          <Field
            label="Monthly limit"
            type="number"
            hint="Leave it empty for the limit of the plan."
            value={limit}
            onValue={setLimit}
          />
        )}
        <FormError error={error} />
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            {account ? 'Save' : 'Create the account'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Renders the state of each part of the service. */
export function HealthView() {
  const health = useResource('health', (signal) => get<Health>('/studio/api/health', signal));
  return (
    <div class="page narrow">
      <ViewHead title="Health" text="The parts of this server, checked now.">
        <Button icon="restore" onClick={health.reload} isBusy={health.isLoading}>
          Check again
        </Button>
      </ViewHead>
      <Loaded from={health}>
        {({ status, version, uptime_seconds, parts }) => (
          <>
            <section class="figures" aria-label="Service">
              <div class="figure">
                <span>Service</span>
                <strong>{status === 'ready' ? 'Ready' : 'Not ready'}</strong>
                <small>version {version}</small>
              </div>
              <div class="figure">
                <span>Running for</span>
                <strong>{uptimeOf(uptime_seconds)}</strong>
                <small>since its last start</small>
              </div>
            </section>
            <section>
              <ul class="panel rows">
                {parts.map(({ name, ok, text }) => (
                  <li key={name}>
                    <span>
                      <span class="cell-title">{name}</span>
                      <span class="cell-sub">{text}</span>
                    </span>
                    <Status value={ok ? 'active' : 'failed'} />
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}

function uptimeOf(seconds: number): string {
  if (seconds < 60) return formatDuration(seconds * 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
