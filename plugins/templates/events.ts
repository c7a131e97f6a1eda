import type { Collection, Webhooks } from '../../src/plugin.ts';
import type { Template } from './contract.ts';
import { presentListed } from './present.ts';

/** The type of the event of a change. */
export const UPDATED = 'template.updated' as const;

/** The events of changed templates. */
export interface TemplateEvents {
  /** Returns the fields to write, with those that note the event of the change. Report the result. */
  noteUpdate(before: Template, set: Partial<Template> & { updatedAt: number }): Partial<Template>;
  /** Begins to store the events of a changed template. The caller does not wait. */
  report(template: Template): void;
  /** Stores the events of a template. Set `usesReserve` before a deletion, which must work on a full disk. */
  store(template: Template, options?: { usesReserve?: boolean }): Promise<void>;
}

/** Opens the outbox of the events of changed templates. */
export function openTemplateEvents({
  templates,
  webhooks,
}: {
  templates: Collection<Template>;
  webhooks: Pick<Webhooks, 'listOutbox'>;
}): TemplateEvents {
  const outbox = webhooks.listOutbox({ name: 'templates', collection: templates });
  return {
    ...outbox,
    noteUpdate(before, set) {
      const { accountId } = before;
      const data = presentListed({ ...before, ...set });
      const event = { accountId, type: UPDATED, data, timestamp: set.updatedAt };
      return { ...set, ...outbox.note(before, event) };
    },
  };
}
