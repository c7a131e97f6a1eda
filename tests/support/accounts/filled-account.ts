import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { samplePng } from '../../../plugins/assets/examples.ts';
import { loadConfig } from '../../../src/config.ts';
import { openState } from '../../../src/state.ts';
import { TestService } from '../service/service.ts';
import { CERTIFICATE_PASSWORD, certificateFile } from '../signatures/certificates.ts';
import { Receiver } from '../sites/receiver.ts';
import { until } from '../until.ts';

/** The email address of the account. */
export const ANN = 'ann@example.com';
const notesPlugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'notes.ts');

/** The collections with data of accounts. */
const COLLECTIONS = [
  'accounts',
  'api_keys',
  'usage',
  'generations',
  'receipts',
  'batches',
  'generation_inputs',
  'jobs',
  'templates',
  'template_contents',
  'template_versions',
  'assets',
  'asset_sets',
  'assets_published',
  'certificates',
  'events',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_secrets',
  'files',
  'notes',
  'deletions',
];

/** The collections in which Ann's account id occurs when her account is filled. */
export const COLLECTIONS_OF_ANN = [
  'accounts',
  'api_keys',
  'asset_sets',
  'assets',
  'assets_published',
  'batches',
  'certificates',
  'events',
  'files',
  'generations',
  'notes',
  'templates',
  'usage',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_secrets',
];

/** The records that {@link fillAccount} creates. */
interface Filled {
  key: string;
  accountId: string;
  generation: { id: string; url: string };
  batchId: string;
  templateId: string;
  cloneId: string;
  bobsKey: string;
}

/** Creates records of every kind in Ann's account, and a copy of her template in Bob's account. */
async function fillAccount(service: TestService, receiver: Receiver): Promise<Filled> {
  const key = await service.newKey('pro', ANN);
  const bobsKey = await service.newKey('pro', 'bob@example.com');
  const postOk = async (path: string, body: object, as = key) => {
    const answer = await service.post(path, body, as);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const endpoint = { url: receiver.url('/endpoint?token=1'), events: ['file.created'] };
  await postOk('/v1/webhook-endpoints', endpoint);
  const template = await postOk('/v1/templates', {
    name: 'Invoice of Ann',
    html_content: '<p>One {{number}}</p>',
    schema: { number: 'string' },
    category: 'invoice',
  });
  await service.request('PUT', `/v1/templates/${template.id}`, {
    key,
    body: { html_content: '<p>Two {{number}}</p><img src="asset:logo.png">' },
  });
  await postOk('/v1/assets', { name: 'logo.png', data: samplePng });
  await postOk(`/v1/marketplace/${template.id}/publish`, {});
  const clone = await postOk(`/v1/marketplace/${template.id}/clone`, {}, bobsKey);
  const generation = await postOk('/v1/generate', {
    template: template.id,
    data: { number: 'seven' },
    reference: 'order 7',
    expires_in: 86_400,
    webhook: receiver.url('/hook'),
  });
  const batch = await postOk('/v1/generate/batch', {
    items: [{ html: 'one' }, { html: '{{', data: {} }, { html: 'three' }],
    webhook: receiver.url('/batch'),
  });
  const path = `/v1/batches/${batch.batch_id}`;
  await until(async () => (await service.get(path, key)).body.status === 'completed');
  const [deleted] = (await service.get(path, key)).body.generations;
  await service.request('DELETE', `/v1/generations/${deleted.id}`, { key });
  await postOk('/v1/pdf/merge', { pdfs: [generation.id, generation.id], reference: 'merged 7' });
  const pkcs12 = certificateFile('ec.p12').toString('base64');
  await postOk('/v1/certificates', { name: 'Certificate of Ann', pkcs12, password: CERTIFICATE_PASSWORD });
  await postOk('/v1/notes', { text: 'a note of Ann' });
  await postOk('/v1/notes', { text: 'a note of Bob' }, bobsKey);
  await postOk('/v1/generate', { html: 'of Bob' }, bobsKey);
  const account = await service.accounts.findByEmail(ANN);
  return {
    key,
    accountId: account?.id ?? '',
    generation,
    batchId: batch.batch_id,
    templateId: template.id,
    cloneId: clone.id,
    bobsKey,
  };
}

/** Lists the files in the data directory. */
export async function storedFiles(service: TestService): Promise<string[]> {
  const entries = await readdir(join(service.dataDir, 'files'), { recursive: true });
  return entries.filter((entry) => /(?:file|asset)_\w+$/.test(entry));
}

/** Lists the collections whose documents contain a text. */
export async function collectionsWith(service: TestService, text: string): Promise<string[]> {
  const { store } = await openState(loadConfig({ env: service.env, cwd: service.dataDir }));
  const found: string[] = [];
  for (const name of COLLECTIONS) {
    const documents = await (await store.collection({ name })).find();
    if (JSON.stringify(documents).includes(text)) found.push(name);
  }
  await store.close();
  return found;
}

/** Starts a service with a filled account whose webhooks have been delivered, and the receiver of its webhooks. */
export async function startFilled(): Promise<{
  service: TestService;
  receiver: Receiver;
  filled: Filled;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const receiver = new Receiver();
  const service = await TestService.start({
    env: { EGRESS_ALLOW: receiver.host },
    config: { plugins: { [notesPlugin]: {} } },
  });
  const filled = await fillAccount(service, receiver);
  await until(async () => {
    const { data } = (await service.get('/v1/webhooks/deliveries', filled.key)).body;
    return data.length === 3 && data.every(({ status }: { status: string }) => status === 'delivered');
  });
  return {
    service,
    receiver,
    filled,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
