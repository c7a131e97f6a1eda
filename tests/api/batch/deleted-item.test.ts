import { expect, test } from 'bun:test';
import { generations as generationsSpec } from '../../../plugins/render/generations/collections.ts';
import { loadConfig } from '../../../src/config.ts';
import { openState } from '../../../src/state.ts';
import { completed, submit } from '../../support/batch/batches.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/** Reads the stored record of a generation. */
async function storedRecord(id: string): Promise<string> {
  const { env, dataDir } = service();
  const { store } = await openState(loadConfig({ env, cwd: dataDir }));
  const record = await (await store.collection(generationsSpec)).get(id);
  await store.close();
  return JSON.stringify(record);
}

test('the record of a deleted item keeps no warnings, which name variables and assets', async () => {
  const item = { html: '<p>{{patient.diagnosis}}</p>', data: { patient: {} } };
  const accepted = await submit(service(), [item]);
  await completed(service(), accepted);
  const [{ id }] = accepted.body.generations;
  expect(await storedRecord(id)).toContain('patient.diagnosis');
  expect((await service().request('DELETE', `/v1/generations/${id}`)).status).toBe(204);
  const record = await storedRecord(id);
  expect(record).toContain(accepted.body.batch_id);
  expect(record).not.toContain('patient.diagnosis');
});
