// Writes the fixture of a release: a data directory with a little of everything, and the ids, keys and links
// in it. Run it once, at the commit that cuts the release: `bun tests/release-data/make.ts 0.1.0`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completed, submit } from '../support/batch/batches.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { storeCertificate } from '../support/signatures/certificates.ts';
import { TestService, type ApiResponse } from '../support/service/service.ts';
import { Authenticator, type SavedPasskey } from '../support/studio/authenticator.ts';
import { Browser, newLink, PASSWORD } from '../support/studio/studio.ts';
import { until } from '../support/until.ts';

/** Nothing listens on this port, so each attempt fails at once. */
const RECEIVER = '127.0.0.1:9';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The keys, ids and links in the data directory of a release. */
export interface ReleaseData {
  madeAt: string;
  key: string;
  /** The key of the account that cloned the template. */
  cloner: string;
  asset: string;
  template: string;
  clone: string;
  generation: string;
  fromTemplate: string;
  /** A generation that failed because of its template. */
  failed: string;
  /** A generation with the claim of PDF/A-1b. */
  proved: string;
  /** The proof of `proved`. */
  proof: unknown;
  /** A completed batch with an item that succeeded and one that failed. */
  mixedBatch: string;
  /** A link to the result of a merge. */
  mergedUrl: string;
  certificate: string;
  studio: { email: string; password: string; passkey: SavedPasskey };
  /** A file that no record names. */
  unnamedFile: string;
  /** A batch whose items are queued. */
  batch: string;
}

async function expectOk(answer: ApiResponse | Promise<ApiResponse>): Promise<ApiResponse['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Makes everything that needs a browser. */
async function makeRecords(dataDir: string): Promise<Omit<ReleaseData, 'madeAt' | 'batch' | 'unnamedFile'>> {
  await using service = await TestService.start({
    env: { DATA_DIR: dataDir, TRUST_PROXY: '1', EGRESS_ALLOW: RECEIVER },
  });
  const post = (path: string, body: object, key = service.key) => expectOk(service.post(path, body, key));
  const cloner = await service.newKey('pro', 'cloner@example.com');
  const asset = await post('/v1/assets', { name: 'pixel.png', data: PIXEL });
  const { id: template } = await post('/v1/templates', {
    name: 'Invoice',
    html_content: '<p>One {{number}}</p>',
  });
  const path = `/v1/templates/${template}`;
  await expectOk(
    service.request('PUT', path, {
      body: { html_content: '<p>Two {{number}}</p><img src="asset:pixel.png">' },
    }),
  );
  await post(`/v1/marketplace/${template}/publish`, {});
  const clone = await post(`/v1/marketplace/${template}/clone`, {}, cloner);
  const webhook = `http://${RECEIVER}/hook`;
  const made = await post('/v1/generate', { html: '<p>HTML</p>', webhook, file_name: 'first' });
  const fromTemplate = await post('/v1/generate', { template, data: { number: '7' } });
  const refused = await service.post('/v1/generate', { html: '{{#if}}', data: {}, file_name: 'refused' });
  if (refused.status !== 400) throw new Error(`the faulty template got ${refused.status}`);
  const { data: failures } = await expectOk(service.get('/v1/generations?status=failed'));
  const proved = await post('/v1/generate', { html: '<p>Archived</p>', options: { pdfa: true } });
  const proof = await expectOk(service.get(`/v1/generations/${proved.id}/proof`));
  const mixed = await submit(service, [{ html: '<p>good</p>' }, { html: '{{', data: {} }]);
  await completed(service, mixed);
  const pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
  const merged = await post('/v1/pdf/merge', { pdfs: [pdf, pdf] });
  const certificate = await storeCertificate(service, 'ec.p12');
  const browser = new Browser(service, {}, 'studio@example.com');
  const token = await newLink(service, { email: browser.email });
  await expectOk(browser.post('/studio/api/link/claim', { token, password: PASSWORD }));
  const passkey = await addPasskey(service, browser);
  await until(async () => {
    const { data } = await expectOk(service.get('/v1/webhooks/deliveries'));
    return data.some(({ attempts }: { attempts: number }) => attempts > 0);
  });
  return {
    key: service.key,
    cloner,
    asset: asset.name,
    template,
    clone: clone.id,
    generation: made.id,
    fromTemplate: fromTemplate.id,
    failed: failures[0].id,
    proved: proved.id,
    proof,
    mixedBatch: mixed.body.batch_id,
    mergedUrl: merged.url,
    certificate,
    studio: { email: browser.email, password: PASSWORD, passkey },
  };
}

/** Adds a passkey of a person. Browsers offer passkeys only at a host name. */
async function addPasskey(service: TestService, person: Browser): Promise<SavedPasskey> {
  const { port } = new URL(service.url);
  const origin = `http://localhost:${port}`;
  const browser = person.another({ origin, host: `localhost:${port}` });
  await expectOk(browser.signIn());
  const authenticator = new Authenticator(origin);
  const { options, ceremony } = await expectOk(browser.post('/studio/api/passkeys/options'));
  const response = authenticator.register(options);
  await expectOk(browser.post('/studio/api/passkeys', { ceremony, response, name: 'Laptop' }));
  return authenticator.save();
}

/** Stores a file beside the others, as a process that dies before it stores the record. */
async function leaveFile(dataDir: string): Promise<string> {
  const id = `file_${'u'.repeat(24)}`;
  const folder = join(dataDir, 'files', id.slice(-2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id), '%PDF-1.4 unnamed');
  return id;
}

/** Accepts a batch and stops, so that most of its items are queued. */
async function queueBatch(dataDir: string, key: string): Promise<string> {
  await using service = await TestService.start({ env: { DATA_DIR: dataDir } });
  const item = {
    html: '<p>queued<script>document.title = "x"</script>',
    options: { waitFor: { delayMs: 500 } },
  };
  const { batch_id } = await expectOk(
    submit(
      service,
      Array.from({ length: 8 }, () => item),
      { key },
    ),
  );
  return batch_id;
}

const [release] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(release ?? '')) throw new Error('name the release, such as 0.1.0');
const folder = await mkdtemp(join(tmpdir(), 'platen-release-'));
try {
  const dataDir = join(folder, 'data');
  const records = await makeRecords(dataDir);
  const data: ReleaseData = {
    ...records,
    madeAt: new Date().toISOString(),
    batch: await queueBatch(dataDir, records.key),
    unnamedFile: await leaveFile(dataDir),
  };
  await writeFile(join(folder, 'fixture.json'), JSON.stringify(data, null, 2));
  const archive = join(import.meta.dir, '..', 'fixtures', `data-${release}.tar.gz`);
  // The reserve of disk space, 8 MB of random bytes, is made again at the next start.
  const tar = ['tar', '--exclude=data/reserve', '-czf', archive, '-C', folder, 'data', 'fixture.json'];
  const { exitCode, stderr } = Bun.spawnSync(tar);
  if (exitCode !== 0) throw new Error(stderr.toString());
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
