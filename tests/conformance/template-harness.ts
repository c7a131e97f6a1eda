import { contents, orphanMarks, templates, trash, versions } from '../../plugins/templates/collections.ts';
import { checkData } from '../../plugins/templates/tasks.ts';
import type { TemplateCollections } from '../../plugins/templates/contents.ts';
import type { TemplateEvents } from '../../plugins/templates/events.ts';
import type { Handlebars } from '../../plugins/documents/contract.ts';
import * as tasks from '../../plugins/documents/tasks.ts';
import type { Collection, Document, Store } from '../../src/store/store.ts';

/** The Handlebars tasks, run in this process because these tests are about the store. */
const handlebars: Handlebars = {
  checkTranslations: async (input) => tasks.checkTranslations(input),
  parseTemplate: async (input) => tasks.parseTemplate(input),
  listPartials: async (input) => tasks.listPartials(input),
  inspectTemplate: async (input) => tasks.inspectTemplate(input),
  compileTemplate: async (input) => tasks.compileTemplate(input),
  renderTemplate: async (input) => tasks.renderTemplate(input),
};
/** Notes no events, for tests of the other writes. */
const noEvents: TemplateEvents = { noteUpdate: (_, set) => set, report() {}, async store() {} };

/** The parts of the templates service: its tasks, run in this process, and no events. */
export const inProcess = {
  events: noEvents,
  handlebars,
  tasks: { checkData: async (input: Parameters<typeof checkData>[0]) => checkData(input) },
};
/** The template that the tests create. */
export const draft = {
  name: 'Letter',
  html: '<p>{{name}}</p>',
  schema: { name: 'string' },
  category: 'other',
} as const;

export async function openTemplates(store: Store): Promise<TemplateCollections> {
  return {
    templates: await store.collection(templates),
    contents: await store.collection(contents),
    versions: await store.collection(versions),
    orphanMarks: await store.collection(orphanMarks),
    trash: await store.collection(trash),
  };
}

type Write = 'insert' | 'update' | 'delete';

/**
 * Interrupts a sequence of writes: carries out `allowed` writes and rejects all later ones. With
 * `carriedOut`, also carries out the first of those.
 */
export function interruptWrites(
  collections: TemplateCollections,
  { allowed, carriedOut }: { allowed: number; carriedOut: boolean },
): TemplateCollections {
  let remaining = allowed;
  function wrap<T extends Document>(collection: Collection<T>): Collection<T> {
    return new Proxy(collection, {
      get(target, name: keyof Collection<T>) {
        const method = target[name].bind(target) as (...input: unknown[]) => Promise<unknown>;
        if (!(['insert', 'update', 'delete'] satisfies Write[] as string[]).includes(name)) return method;
        return async (...input: unknown[]) => {
          remaining -= 1;
          if (remaining >= 0) return method(...input);
          if (remaining === -1 && carriedOut) await method(...input);
          throw new Error('interrupted');
        };
      },
    });
  }
  return {
    templates: wrap(collections.templates),
    contents: wrap(collections.contents),
    versions: wrap(collections.versions),
    orphanMarks: wrap(collections.orphanMarks),
    trash: wrap(collections.trash),
  };
}
