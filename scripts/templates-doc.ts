/** Writes the list of helpers in `docs/templates.md` from their definitions: `npm run docs:templates`. */
import { join } from 'node:path';
import { HELPER_GROUPS, usageOf, type TemplateHelper } from '@platen/templates';

/** The path of the document. */
export const TEMPLATES_DOC = join(import.meta.dir, '../docs/templates.md');
const LIST = /(<!-- helpers: [^>]*-->\n).*(\n<!-- end of helpers -->)/s;

/** Returns the document with an up-to-date list of helpers, before formatting. */
export function withHelpers(document: string): string {
  if (!LIST.test(document)) throw new Error('docs/templates.md has no markers for the list of helpers');
  const groups = HELPER_GROUPS.map(
    ([title, helpers]) => `\n### ${title}\n\n${helpers.map(section).join('\n\n')}\n`,
  );
  return document.replace(LIST, (_, before: string, after: string) => before + groups.join('') + after);
}

function section(helper: TemplateHelper): string {
  const { name, description, examples, block } = helper;
  const rows = examples.map(
    ({ template, data, output }) =>
      `| ${code(template)} | ${data ? code(JSON.stringify(data)) : ''} | ${code(output)} |`,
  );
  const asBlock = block ? ` As a block: \`{{#${name} …}}…{{else}}…{{/${name}}}\`.` : '';
  return `#### ${name}\n\n${code(usageOf(helper))}\n\n${description}${asBlock}\n\n| template | data | output |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) await Bun.write(TEMPLATES_DOC, withHelpers(await Bun.file(TEMPLATES_DOC).text()));
