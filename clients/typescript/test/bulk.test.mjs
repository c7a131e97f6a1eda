// Bulk batches. Runs like client.test.mjs.
import assert from 'node:assert/strict';
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Platen } from '@platen/client';
import { errorOf, isPdf, unique } from './support.mjs';

const platen = new Platen();
const folder = await mkdtemp(join(tmpdir(), 'platen-client-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('makes a batch of lists, iterables and files, with progress, and downloads its items and archive', async () => {
  const { id: template } = await platen.templates.create({
    name: unique('Bulk'),
    html_content: '<p>{{number}}</p>',
  });
  const records = [1, 2, 3].map((number) => ({ number }));
  const [lines, table] = [join(folder, 'items.ndjson'), join(folder, 'items.csv')];
  await writeFile(lines, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await writeFile(table, 'number\n1\n2\n3\n');
  const generator = async function* () {
    yield* records;
  };
  const settings = { template, file_name: 'Nr {{number}}', options: { format: 'A6' } };
  const contents = [
    new Set(records),
    generator(),
    lines,
    table,
    createReadStream(table),
    await readFile(lines),
  ];
  const sent = [];
  for (const items of contents) sent.push(await platen.batches.createBulk(items, settings));
  assert.deepEqual(
    sent.map(({ total, skipped }) => [total, skipped]),
    contents.map(() => [3, 0]),
  );
  const progress = [];
  const { batch_id: id } = await platen.batches.createBulk(records, { ...settings, result: 'zip' });
  const onProgress = ({ completed, total }) => progress.push([completed, total]);
  const batch = await platen.batches.wait(id, { onProgress });
  assert.deepEqual([batch.status, batch.completed, progress.at(-1)], ['completed', 3, [3, 3]]);
  const names = [];
  for await (const item of platen.batches.items(id, { status: 'completed' })) {
    await item.save(join(folder, item.file_name));
    names.push(item.file_name);
    assert.ok(isPdf(await readFile(join(folder, item.file_name))));
  }
  assert.deepEqual(names, ['Nr 1.pdf', 'Nr 2.pdf', 'Nr 3.pdf']);
  const archive = await platen.batches.result(id);
  assert.equal(Buffer.from(await archive.bytes()).toString('latin1', 0, 2), 'PK');
  await archive.save(join(folder, 'all.zip'));
  const [first] = sent;
  const waited = await platen.batches.wait(first.batch_id);
  assert.equal(waited.completed, 3);
  const none = await errorOf(async () => (await platen.batches.result(first.batch_id)).bytes());
  assert.equal(none.code, 'NO_FILE');
});

test('a batch is canceled, and its faults have their lines', async () => {
  const template = { name: unique('Slow'), html_content: '<p>{{number}}</p>' };
  const { id } = await platen.templates.create(template);
  const options = { waitFor: { delayMs: 500 } };
  const many = Array.from({ length: 300 }, (_, number) => ({ number }));
  const { batch_id: batch } = await platen.batches.createBulk(many, { template: id, options, result: 'pdf' });
  assert.equal((await platen.batches.cancel(batch)).status, 'canceled');
  let canceled = 0;
  for await (const item of platen.batches.items(batch)) canceled += Number(item.status === 'canceled');
  assert.ok(canceled > 250, String(canceled));
  const faults = await errorOf(() =>
    platen.batches.createBulk(new Blob(['{"number": 1}\nx\n']), { template: id }),
  );
  assert.deepEqual([faults.code, faults.status, faults.details[0].line], ['VALIDATION_ERROR', 400, 2]);
  const skipping = { template: id, on_invalid: 'skip' };
  const skipped = await platen.batches.createBulk(new Blob(['{"number": 1}\nx\n']), skipping);
  assert.deepEqual([skipped.total, skipped.skipped], [1, 1]);
  const locked = {
    template: id,
    result: 'pdf',
    options: { protect: { userPassword: 'a', ownerPassword: 'b' } },
  };
  const { batch_id: unmerged } = await platen.batches.createBulk([{ number: 1 }], locked);
  const error = await errorOf(() => platen.batches.result(unmerged));
  assert.equal(error.code, 'RESULT_FAILED');
  const circular = {};
  circular.self = circular;
  for (const items of [[circular], new Set([circular])])
    assert.equal(
      (await errorOf(() => platen.batches.createBulk(items, { template: id }))).code,
      'INVALID_VALUE',
    );
  const empty = await errorOf(() => platen.batches.createBulk(new Set(), { template: id }));
  assert.match(empty.message, /has no items/);
});
