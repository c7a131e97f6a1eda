import { useState } from 'preact/hooks';
import { get } from '../../data/api.ts';
import { useEventGroups, type EventGroup } from '../../data/event-types.ts';
import { formatAgo, formatMoment } from '../../data/format.ts';
import { useList } from '../../data/list.ts';
import { useResource } from '../../data/resource.ts';
import type { List, WebhookDelivery, WebhookEvent } from '../../data/types.ts';
import { setQuery, useLocation } from '../../router.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button, Select } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShowMore } from '../../ui/paging.tsx';
import { Empty, Loaded, Status } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TestBadge } from '../../ui/test-mode.tsx';
import { responseOf } from './deliveries.tsx';

/** Renders what happened in the account in the last 30 days, newest first, filtered by type. */
export function Events() {
  const type = useLocation().searchParams.get('type') ?? '';
  const groups = useEventGroups();
  const query = type === '' ? '' : `?${new URLSearchParams({ type })}`;
  const events = useList<WebhookEvent>('events', `/v1/events${query}`);
  const [open, setOpen] = useState<WebhookEvent>();
  return (
    <section>
      <header class="section-head">
        <h2>Events</h2>
        <Select
          label="Type"
          isBare
          value={type}
          choices={choicesOf(groups.data ?? [], type)}
          onValue={(value) => setQuery('type', value)}
        />
      </header>
      <Loaded from={events}>
        {({ data }) =>
          data.length > 0 ? (
            <EventTable events={data} onOpen={setOpen} />
          ) : type !== '' ? (
            <Empty icon="search" title="Nothing matches" text="No event of the last 30 days has this type.">
              <Button onClick={() => setQuery('type', '')}>Clear the filter</Button>
            </Empty>
          ) : (
            <Empty
              icon="webhook"
              title="No events"
              text="The events of the last 30 days are listed here, also without an endpoint."
            />
          )
        }
      </Loaded>
      <ShowMore list={events} />
      {open && <EventDialog event={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

/** Returns the choices of the filter. They include the current type before the types are loaded. */
function choicesOf(groups: readonly EventGroup[], current: string): (readonly [string, string])[] {
  const choices = groups.flatMap(({ selector, label, types }) => [
    ...(types.length > 1 ? [[selector, label] as const] : []),
    ...types.map((entry) => [entry.type, entry.type] as const),
  ]);
  const isListed = current === '' || choices.some(([value]) => value === current);
  return [['', 'Any type'], ...choices, ...(isListed ? [] : [[current, current] as const])];
}

/** The record that an event is about. The event of a threshold is about none. */
interface EventObject {
  id?: string;
  /** The screen that shows it. */
  href?: string;
  isTest: boolean;
}

/** The screens of records, by the beginnings of their ids. */
const SCREENS = [
  ['gen_', '/studio/generations'],
  ['tmpl_', '/studio/templates'],
] as const;

function objectOf({ data }: WebhookEvent): EventObject {
  const { id, batch_id, test } = data as { id?: unknown; batch_id?: unknown; test?: unknown };
  const isTest = test === true;
  if (typeof id === 'string') {
    const screen = SCREENS.find(([prefix]) => id.startsWith(prefix))?.[1];
    return { id, isTest, ...(screen && { href: `${screen}/${id}` }) };
  }
  if (typeof batch_id !== 'string') return { isTest };
  return { id: batch_id, isTest, href: `/studio/generations?batch_id=${batch_id}` };
}

function EventTable({ events, onOpen }: { events: WebhookEvent[]; onOpen: (event: WebhookEvent) => void }) {
  const columns: Column<WebhookEvent>[] = [
    {
      label: 'Event',
      cell: (event) => {
        const { id, isTest } = objectOf(event);
        return (
          <>
            <button type="button" class="link cell-title" onClick={() => onOpen(event)}>
              {event.type}
            </button>{' '}
            <TestBadge test={isTest} />
            {id && <span class="cell-sub narrow-only">{id}</span>}
            <span class="cell-sub narrow-only">{formatAgo(event.timestamp)}</span>
          </>
        );
      },
    },
    {
      label: 'Object',
      isWideOnly: true,
      cell: (event) => {
        const { id, href } = objectOf(event);
        const code = id && <code>{id}</code>;
        return href ? <a href={href}>{code}</a> : code;
      },
    },
    {
      label: 'Time',
      isNumber: true,
      isWideOnly: true,
      cell: ({ timestamp }) => (
        <time dateTime={timestamp} title={formatMoment(timestamp)}>
          {formatAgo(timestamp)}
        </time>
      ),
    },
  ];
  return <Table rows={events} columns={columns} keyOf={({ id }) => id} />;
}

const DELIVERY_COLUMNS: Column<WebhookDelivery>[] = [
  { label: 'Endpoint', cell: ({ url }) => <span class="cell-title">{url}</span> },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Response', isWideOnly: true, cell: responseOf },
];

function EventDialog({ event, onClose }: { event: WebhookEvent; onClose: () => void }) {
  // An account has at most 20 endpoints, so these are all deliveries of the event.
  const deliveries = useResource(`deliveries of ${event.id}`, (signal) =>
    get<List<WebhookDelivery>>(`/v1/webhooks/deliveries?event_id=${event.id}&limit=100`, signal),
  );
  return (
    <Dialog title={event.type} size="wide" onClose={onClose}>
      <div class="stack">
        <CodeBlock label="Event" code={JSON.stringify(event, null, 2)} />
        <h3>Deliveries</h3>
        <Loaded from={deliveries}>
          {({ data }) =>
            data.length > 0 ? (
              <Table rows={data} columns={DELIVERY_COLUMNS} keyOf={({ id }) => id} isCompact />
            ) : (
              <p class="note">No endpoint received this event.</p>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}
