import type { Collection, Webhooks } from '../../src/plugin.ts';
import type { Template } from './contract.ts';
import { presentListed } from './present.ts';

/** The type of the event of a change. */
export const UPDATED = 'template.updated' as const;

/** The events of changed templates. */
export interface TemplateEvents {
  /** Returns the fields to write, with those that note the event of the change. Report the result. */
  noteUpdate(before: Template, set: Partial<Template> & { updatedAt: number }): Partial<Template>;
  /** Stores the events of a template that was written with an event. Nothing waits for it. */
  report(template: Template): void;
  /** Stores the events of a template. */
  store(template: Template): Promise<void>;
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
    noteUpdate(before, set) {
      const { accountId } = before;
      const data = presentListed({ ...before, ...set });
      const event = { accountId, type: UPDATED, data, timestamp: set.updatedAt };
      return { ...set, ...outbox.note(before, event) };
    },
    report: (template) => outbox.report(template),
    store: (template) => outbox.store(template),
  };
}
