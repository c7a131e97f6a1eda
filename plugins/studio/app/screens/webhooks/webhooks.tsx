import { useSession } from '../../data/session.ts';
import { navigate, useLocation } from '../../router.ts';
import { Segments } from '../../ui/controls.tsx';
import { ViewHead } from '../../ui/states.tsx';
import { AccountSecret } from './account-secret.tsx';
import { Deliveries } from './deliveries.tsx';
import { Endpoints } from './endpoints.tsx';
import { Events } from './events.tsx';

const LISTS = [
  ['endpoints', 'Endpoints'],
  ['events', 'Events'],
  ['deliveries', 'Deliveries'],
] as const;

/**
 * Renders the webhook endpoints, events and deliveries of the account if their plugin is on, and the secret
 * of the account.
 */
export function Webhooks() {
  const { service } = useSession();
  const { searchParams } = useLocation();
  const [list] = LISTS.find(([name]) => name === searchParams.get('list')) ?? LISTS[0];
  const hasLists = service.plugins.includes('webhooks');
  return (
    <div class="page">
      <ViewHead
        title="Webhooks"
        text="Platen sends signed messages to your programs, for example when a document is finished."
      />
      {hasLists && (
        <div class="toolbar">
          <Segments
            label="Lists"
            value={list}
            choices={LISTS}
            onValue={(name) =>
              navigate(name === 'endpoints' ? '/studio/webhooks' : `/studio/webhooks?list=${name}`)
            }
          />
        </div>
      )}
      {hasLists && list === 'events' && <Events />}
      {hasLists && list === 'deliveries' && <Deliveries />}
      {hasLists && list === 'endpoints' && <Endpoints />}
      {(!hasLists || list === 'endpoints') && <AccountSecret />}
    </div>
  );
}
