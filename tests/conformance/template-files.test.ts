import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteOrphans } from '../../plugins/templates/orphans.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import type { UploadedTemplateFile } from '../../plugins/templates/contract.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { rejection } from '../support/rejection.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-template-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LATER_MS = 2 * 3_600_000;

/** Opens templates whose files are a set of ids. */
async function start() {
  const store = createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) });
  const stored = new Set<string>();
  const files = { delete: async (id: string) => void stored.delete(id) };
  const collections = { ...(await openTemplates(store)), files };
  const service = createTemplatesService(collections, inProcess);
  const upload = (fileId: string, hash = fileId): UploadedTemplateFile => {
    stored.add(fileId);
    return { format: 'docx', fileId, hash, sizeBytes: 1 };
  };
  const create = (file: UploadedTemplateFile) =>
    service.create('ann', { name: 'Letter', html: '', file, schema: {}, category: 'letter' });
  return { collections, service, stored, upload, create };
}

test('versions keep their files, and the same bytes are stored once', async () => {
  const { service, stored, upload, create } = await start();
  const { id } = await create(upload('one'));
  expect(await service.update('ann', id, { file: upload('two') })).toMatchObject({ version: 2 });
  expect(await service.update('ann', id, { file: upload('again', 'two') })).toMatchObject({ version: 2 });
  expect(await service.update('ann', id, { file: upload('back', 'one') })).toMatchObject({
    version: 3,
    file: { fileId: 'one' },
  });
  expect([...stored]).toEqual(['one', 'two']);
  await service.remove('ann', id);
  expect([...stored]).toEqual([]);
});

test('a draft shares the file of the current version, and takes its own with it', async () => {
  const { collections, service, stored, upload, create } = await start();
  const { id } = await create(upload('one'));
  await service.saveDraft('ann', id, { sampleDataJson: '{"a":1}' });
  await service.saveDraft('ann', id, { file: upload('draft') });
  const { version } = await service.saveDraft('ann', id, { sampleDataJson: '{"a":2}' });
  expect([...stored]).toEqual(['one', 'draft']);
  await deleteOrphans(collections, Date.now() + LATER_MS);
  expect(await service.get('ann', id, 'draft')).toMatchObject({ file: { fileId: 'draft' } });
  await service.discardDraft('ann', id, version);
  expect([...stored]).toEqual(['one']);
  expect(await service.get('ann', id)).toMatchObject({ file: { fileId: 'one' } });
});

test('the file of a request that fails is deleted', async () => {
  const { service, stored, upload, create } = await start();
  await rejection(service.update('ann', 'tmpl_unknown', { file: upload('one') }));
  await rejection(service.saveDraft('ann', 'tmpl_unknown', { file: upload('two') }));
  const { id } = await create(upload('three'));
  const other = { ...upload('four'), format: 'xlsx' } as const;
  const refused = await rejection(service.update('ann', id, { file: other }));
  expect(String(refused)).toContain('make another template');
  expect([...stored]).toEqual(['three']);
});

test('the trash keeps files until a template is deleted for good', async () => {
  const { service, stored, upload, create } = await start();
  const { id } = await create(upload('one'));
  await service.trash.discard('ann', id);
  expect([...stored]).toEqual(['one']);
  await service.trash.restore('ann', id);
  expect(await service.get('ann', id)).toMatchObject({ format: 'docx', file: { fileId: 'one' } });
  await service.trash.discard('ann', id);
  await service.trash.remove('ann', id);
  expect([...stored]).toEqual([]);
});
