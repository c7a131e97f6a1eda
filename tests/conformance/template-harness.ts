import { contents, orphanMarks, templates, trash, versions } from '../../plugins/templates/collections.ts';
import { checkData } from '../../plugins/templates/tasks.ts';
import type { TemplateCollections } from '../../plugins/templates/versions.ts';
import type { Handlebars } from '../../src/plugin.ts';
import * as tasks from '../../src/sandbox/handlebars.ts';
import type { Store } from '../../src/store/store.ts';

/** The Handlebars tasks, run in this process because these tests are about the store. */
const handlebars: Handlebars = {
  parseTemplate: async (input) => tasks.parseTemplate(input),
  listPartials: async (input) => tasks.listPartials(input),
  inspectTemplate: async (input) => tasks.inspectTemplate(input),
  compileTemplate: async (input) => tasks.compileTemplate(input),
  renderTemplate: async (input) => tasks.renderTemplate(input),
};
/** The tasks that the templates service calls, run in this process. */
export const inProcess = {
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

/** Opens the collections of the plugin. */
export async function openTemplates(store: Store): Promise<TemplateCollections> {
  return {
    templates: await store.collection(templates),
    contents: await store.collection(contents),
    versions: await store.collection(versions),
    orphanMarks: await store.collection(orphanMarks),
    trash: await store.collection(trash),
  };
}
