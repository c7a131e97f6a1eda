import { get } from '../data/api.ts';
import { formatAgo, formatMoment } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { AuditEntry, List } from '../data/types.ts';
import { setQuery, useLocation } from '../router.ts';
import { LinkButton, Search, Select } from '../ui/controls.tsx';
import { DateRange, midnightOf } from '../ui/date-range.tsx';
import { Paging, PAGE_SIZE, readOffset } from '../ui/paging.tsx';
import { Empty, Loaded, Status, ViewHead } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';

const ACTIONS = [
  ['', 'Any action'],
  ['key.*', 'API keys'],
  ['template.*', 'Templates'],
  ['asset.*', 'Assets'],
  ['certificate.*', 'Certificates'],
  ['generation.*', 'Generations'],
  ['file.*', 'Files'],
  ['batch.*', 'Batches'],
  ['session.*', 'Sign-ins'],
  ['password.*', 'Password'],
  ['passkey.*', 'Passkeys'],
  ['link.*', 'Sign-in links'],
  ['member.*', 'Members'],
  ['invitation.*', 'Invitations'],
  ['webhook_endpoint.*', 'Webhook endpoints'],
  ['webhook_secret.*', 'Webhook secrets'],
  ['account.*', 'Account'],
  ['audit.*', 'Audit log'],
] as const;

const ACTORS = [
  ['', 'Anyone'],
  ['key', 'API keys'],
  ['member', 'People'],
  ['operator', 'Operators'],
  ['command', 'Commands'],
] as const;

const ACTOR_NAMES = { key: 'API key', member: 'Person', operator: 'Operator', command: 'Command' } as const;

/** Renders who changed what in the account, newest first, with filters and an export. */
export function Audit() {
  const { searchParams } = useLocation();
  const offset = readOffset(searchParams);
  const [action, actor, from, to] = ['action', 'actor', 'from', 'to'].map(
    (name) => searchParams.get(name) ?? '',
  ) as [string, string, string, string];
  // The URL contains days, but the service filters by time.
  const [since, until] = [midnightOf(from), midnightOf(to, { dayAfter: true })];
  const filters = { ...(action && { action }), ...(actor && { actor }), ...(since && { since }) };
  const query = new URLSearchParams({ ...filters, ...(until && { until }) });
  const entries = useResource(`audit ${query} ${offset}`, (signal) =>
    get<List<AuditEntry>>(`/v1/audit?${query}&limit=${PAGE_SIZE}&offset=${offset}`, signal),
  );
  const filter = (name: string, value: string) => {
    setQuery('offset', '');
    setQuery(name, value);
  };
  const isActorType = ACTORS.some(([type]) => type === actor);
  return (
    <div class="page">
      <ViewHead title="Audit log" text="Who changed what in this account. The newest entries come first.">
        <LinkButton icon="download" href={`/v1/audit/export?${query}`} download>
          Download CSV
        </LinkButton>
      </ViewHead>
      <div class="toolbar">
        <Search
          label="Find by id of the actor"
          value={isActorType ? '' : actor}
          onValue={(value) => filter('actor', value)}
        />
        <Select
          label="Action"
          isBare
          value={action}
          choices={[
            ...ACTIONS,
            ...(ACTIONS.some(([name]) => name === action) ? [] : [[action, action] as const]),
          ]}
          onValue={(value) => filter('action', value)}
        />
        <Select
          label="Actor"
          isBare
          value={actor}
          choices={[...ACTORS, ...(isActorType ? [] : [[actor, 'One actor'] as const])]}
          onValue={(value) => filter('actor', value)}
        />
        <DateRange
          from={from}
          to={to}
          onFrom={(date) => filter('from', date)}
          onTo={(date) => filter('to', date)}
        />
      </div>
      <Loaded from={entries}>
        {({ data, has_more }) =>
          data.length > 0 ? (
            <>
              <Table rows={data} columns={COLUMNS} keyOf={({ id }) => id} focusLabel="Entries" />
              <Paging offset={offset} count={data.length} hasMore={has_more} />
            </>
          ) : (
            <Empty icon="audit" title="No entries" text="No change in this account matches the filters." />
          )
        }
      </Loaded>
    </div>
  );
}

const COLUMNS: Column<AuditEntry>[] = [
  {
    label: 'Action',
    isShortened: true,
    cell: ({ action, target, at, actor }) => (
      <>
        <span class="cell-title" title={action}>
          {action}
        </span>
        {target && (
          <span class="cell-sub ellipsis" title={target}>
            {target}
          </span>
        )}
        <span class="cell-sub narrow-only">
          {actor.name}, {formatAgo(at)}
        </span>
      </>
    ),
  },
  {
    label: 'Actor',
    isWideOnly: true,
    isShortened: true,
    cell: ({ actor }) => (
      <>
        <span title={actor.name}>{actor.name}</span>
        <span class="cell-sub">{ACTOR_NAMES[actor.type]}</span>
      </>
    ),
  },
  {
    label: 'Address',
    isWideOnly: true,
    isShortened: true,
    cell: ({ ip, request_id }) => (
      <>
        <span>{ip ?? 'None'}</span>
        {request_id && (
          <span class="cell-sub" title={request_id}>
            {request_id}
          </span>
        )}
      </>
    ),
  },
  { label: 'Outcome', isWideOnly: true, cell: ({ outcome }) => <Status value={outcome} /> },
  { label: 'Time', isNumber: true, isWideOnly: true, cell: ({ at }) => formatMoment(at) },
];
