/**
 * Writes the parts of the documentation that come from code: the helpers in `docs/templates.md`,
 * `docs/metrics.md`, and the fields in `docs/invoices.md`. `npm run docs` also formats them.
 */
import { join } from 'node:path';
import { invoiceFields } from '@platen/einvoice/fields';
import { HELPER_GROUPS, usageOf, type TemplateHelper } from '@platen/templates';
import type { MetricDefinition } from '../src/metrics.ts';
import { TestService } from '../tests/support/service/service.ts';

const DOCS = join(import.meta.dir, '../docs');
/** The page with the list of helpers. */
export const TEMPLATES_DOC = join(DOCS, 'templates.md');
/** The page with the list of metrics. */
export const METRICS_DOC = join(DOCS, 'metrics.md');

/** The page with the list of fields of an invoice. */
export const INVOICES_DOC = join(DOCS, 'invoices.md');

/** Returns a page with an up-to-date list of helpers, before formatting. */
export function withHelpers(page: string): string {
  const groups = HELPER_GROUPS.map(
    ([title, helpers]) => `\n### ${title}\n\n${helpers.map(section).join('\n\n')}\n`,
  );
  return withList(page, 'helpers', groups.join(''));
}

/** Returns a page with an up-to-date table of metrics, before formatting. */
export function withMetrics(page: string, metrics: readonly MetricDefinition[]): string {
  const rows = metrics.map(
    ({ name, type, labels, help }) =>
      `| ${code(name)} | ${type} | ${labels.map(code).join(', ')} | ${help} |`,
  );
  const table = ['| metric | type | labels | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return withList(page, 'metrics', `\n${table}\n`);
}

/** Returns a page with an up-to-date table of the fields of an invoice, before formatting. */
export function withInvoiceFields(page: string): string {
  const rows = invoiceFields().map(({ path, terms, about }) => `| ${code(path)} | ${terms} | ${about} |`);
  const table = ['| field | term | content |', '| --- | --- | --- |', ...rows].join('\n');
  return withList(page, 'fields', `\n${table}\n`);
}

/** Replaces the text between the two comments that mark a list. */
function withList(page: string, name: string, list: string): string {
  const markers = new RegExp(`(<!-- ${name}: [^>]*-->\n).*(\n<!-- end of ${name} -->)`, 's');
  if (!markers.test(page)) throw new Error(`the page has no markers for the list of ${name}`);
  return page.replace(markers, (_, before: string, after: string) => before + list + after);
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

if (import.meta.main) {
  await Bun.write(TEMPLATES_DOC, withHelpers(await Bun.file(TEMPLATES_DOC).text()));
  await Bun.write(INVOICES_DOC, withInvoiceFields(await Bun.file(INVOICES_DOC).text()));
  await using service = await TestService.start();
  await Bun.write(
    METRICS_DOC,
    withMetrics(await Bun.file(METRICS_DOC).text(), service.metrics.definitions()),
  );
}
