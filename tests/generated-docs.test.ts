import { expect, test } from 'bun:test';
import {
  INVOICES_DOC,
  METRICS_DOC,
  TEMPLATES_DOC,
  withHelpers,
  withInvoiceFields,
  withMetrics,
} from '../scripts/docs.ts';
import { TestService } from './support/service/service.ts';

test('docs/templates.md is up to date with the table of helpers', async () => {
  const page = await Bun.file(TEMPLATES_DOC).text();
  expect(unformatted(page)).toBe(unformatted(withHelpers(page)));
});

test('docs/invoices.md is up to date with the table of fields', async () => {
  const page = await Bun.file(INVOICES_DOC).text();
  expect(unformatted(page)).toBe(unformatted(withInvoiceFields(page)));
});

test('docs/metrics.md is up to date, and its metrics are those of /metrics, each with a sentence', async () => {
  await using service = await TestService.start();
  const definitions = service.metrics.definitions();
  const page = await Bun.file(METRICS_DOC).text();
  expect(unformatted(page)).toBe(unformatted(withMetrics(page, definitions)));

  const text = await (await fetch(`${service.url}/metrics`)).text();
  const served = [...text.matchAll(/^# TYPE (\w+ \w+)$/gm)].map(([, line = '']) => line);
  expect(served.toSorted()).toEqual(definitions.map(({ name, type }) => `${name} ${type}`));
  for (const { help } of definitions) expect(help).toMatch(/^[A-Z][^|\n]{20,}\.$/);
});

/** Undoes the formatter's padding of tables and wrapping of lines. */
function unformatted(page: string): string {
  return page.replace(/\s+/g, ' ').replace(/\| -+ (?=\|)/g, '| --- ');
}
