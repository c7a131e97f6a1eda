/**
 * Measures GET /v1/templates and GET /v1/marketplace over HTTP on SQLite with 10,000 templates in the account and 200,000 in the store. The
 * account's 100 newest have 100 kB of HTML each. Also measures the lookup of a compiled template in a sandbox process:
 * `npm run bench:templates`.
 */
import { join } from 'node:path';
import { contents, templates } from '../plugins/templates/collections.ts';
import type { Template } from '../plugins/templates/contract.ts';
import { CATEGORIES } from '../src/plugin.ts';
import { contentIdOf, storeContent } from '../plugins/templates/versions.ts';
import { newId } from '../src/ids.ts';
import { createSqliteStore } from '../src/store/sqlite.ts';
import { TemplateCache } from '../packages/templates/cache.ts';
import { compileProgram } from '../packages/templates/program.ts';
import { TestService } from '../tests/support/service.ts';

/** The number of templates in the account, and in all accounts. */
const OWN = Number(process.env['OWN'] ?? 10_000);
const ALL = Number(process.env['ALL'] ?? 200_000);
const REQUESTS = 300;
const CHUNK = 5_000;
/** The number of the account's newest templates that have 100 kB of HTML. */
const LARGE_TEMPLATES = 100;

await using service = await TestService.start();
const [account] = await service.accounts.list();
if (!account) throw new Error('no account');

const store = createSqliteStore({ path: join(service.dataDir, 'platen.sqlite') });
const stored = await store.collection(templates);
const html = `<p>{{name}}</p>${'x'.repeat(100_000)}`;

function makeTemplate(index: number): Template {
  const id = newId('tmpl_');
  const createdAt = 1_790_000_000_000 + index * 1000;
  return {
    id,
    // The account's templates are spread among the others.
    accountId: index % Math.round(ALL / OWN) === 0 ? (account?.id ?? '') : `acc_${index % 997}`,
    name: `Template ${index}`,
    category: CATEGORIES[index % CATEGORIES.length] ?? 'other',
    schema: { name: 'string', items: 'array', total: 'number', date: 'date' },
    version: 1,
    contentId: contentIdOf(id, html),
    isPublic: index % 10 === 0,
    createdAt,
    updatedAt: createdAt,
  };
}

for (let start = 0; start < ALL; start += CHUNK)
  await stored.insertMany(
    Array.from({ length: Math.min(CHUNK, ALL - start) }, (_, index) => makeTemplate(start + index)),
  );
const own = await stored.find({ where: { accountId: account.id }, order: { createdAt: 'desc', id: 'desc' } });
const storedContents = await store.collection(contents);
for (const { id } of own.slice(0, LARGE_TEMPLATES)) await storeContent(storedContents, id, html);
console.log(`${await stored.count()} templates, ${own.length} in the account`);

const rows = [];
const at = (sorted: readonly number[], share: number) =>
  Number((sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2));
for (const path of [
  '/v1/templates',
  '/v1/templates?limit=100',
  `/v1/templates?offset=${Math.max(0, own.length - 50)}`,
  `/v1/templates/${own[0]?.id}`,
  '/v1/marketplace',
  '/v1/marketplace?category=invoice',
]) {
  const tookMs: number[] = [];
  while (tookMs.length < REQUESTS) {
    const begun = performance.now();
    const { status } = await service.get(path);
    if (status === 429) {
      await Bun.sleep(1000);
      continue;
    }
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    tookMs.push(performance.now() - begun);
  }
  tookMs.sort((a, b) => a - b);
  rows.push({
    path: path.replace(/tmpl_\w+/, ':id (100 kB)'),
    'p50 ms': at(tookMs, 0.5),
    'p95 ms': at(tookMs, 0.95),
  });
}

const cache = new TemplateCache(compileProgram);
cache.get(html);
const cached = Array.from({ length: REQUESTS }, () => {
  const begun = performance.now();
  cache.get(html);
  return performance.now() - begun;
}).sort((a, b) => a - b);
rows.push({
  path: 'a compiled template (100 kB), in a sandbox process',
  'p50 ms': at(cached, 0.5),
  'p95 ms': at(cached, 0.95),
});
console.table(rows);
await store.close();
