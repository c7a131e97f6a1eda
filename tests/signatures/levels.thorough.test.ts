import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagesPdf } from '../support/pdf/samples.ts';
import { validateSignatures } from '../support/signatures/certificates.ts';
import { qpdfCheck, requireTools } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { TIMEOUT_MS, requirePyHanko, runPython, startPki, type TestPki } from './pyhanko.ts';

/** The signatures of each file, with the key of each signer. */
const CASES: Record<string, ({ key?: string } & Record<string, unknown>)[]> = {
  'b-b': [{}],
  'b-b with P-256': [{ key: 'p256' }],
  'b-b with P-384': [{ key: 'p384' }],
  'b-b with P-521': [{ key: 'p521' }],
  'b-b visible': [{ visible: true, x: 20, y: 20 }],
  'b-b certified': [{ certify: 'form_filling' }, { key: 'p256' }],
  'b-t': [{ level: 'b-t' }],
  'b-lt': [{ level: 'b-lt' }],
  'b-lta': [{ level: 'b-lta' }],
  'b-lta certified': [{ level: 'b-lta', certify: 'no_changes' }],
  'two signers': [{ level: 'b-lt' }, { key: 'p256', level: 'b-lta', visible: true, x: 20, y: 120 }],
};

describe.if(requirePyHanko() && requireTools())('signatures of every level', () => {
  let pki: TestPki;
  let service: TestService;
  let folder: string;
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-levels-'));
    pki = await startPki();
    service = await TestService.start({
      env: { EGRESS_ALLOW: pki.host },
      config: { plugins: { 'pdf-tools': { tsaUrl: pki.tsaUrl, trustRoots: [pki.root] } } },
    });
    const certificates = new Map<string, string>();
    for (const key of ['rsa', 'p256', 'p384', 'p521']) {
      const pkcs12 = (await readFile(join(pki.folder, `${key}.p12`))).toString('base64');
      const { body } = await service.post('/v1/certificates', { pkcs12, password: 'secret' });
      certificates.set(key, body.id);
    }
    for (const [name, signatures] of Object.entries(CASES)) {
      let pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
      for (const { key = 'rsa', ...fields } of signatures) {
        const request = { certificate: certificates.get(key), visible: false, ...fields };
        const { status, body } = await service.post('/v1/pdf/sign', { pdf, output: 'base64', ...request });
        if (status !== 200) throw new Error(`${name}: ${status} ${body.error?.message}`);
        pdf = body.data;
      }
      files.set(name, Buffer.from(pdf, 'base64'));
      await Bun.write(join(folder, `${name}.pdf`), Buffer.from(pdf, 'base64'));
    }
  }, TIMEOUT_MS);

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await pki?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    'pyHanko accepts them, and needs no request for the validation data of b-lt and b-lta',
    async () => {
      const faults = await runPython<Record<string, string[]>>('validate_levels.py', pki.folder, folder);
      expect(faults).toEqual(Object.fromEntries(Object.keys(CASES).map((name) => [`${name}.pdf`, []])));
    },
    TIMEOUT_MS,
  );

  test.each(Object.entries(CASES))('pdfsig, qpdf and verify accept %s', async (name, signatures) => {
    const pdf = files.get(name) ?? Buffer.alloc(0);
    await qpdfCheck(pdf);
    const validated = (await validateSignatures(pdf)).filter(({ type }) => type.includes('CAdES'));
    expect(validated.map(({ valid }) => valid)).toEqual(signatures.map(() => true));
    const { body } = await service.post('/v1/pdf/verify', { pdf: pdf.toString('base64') });
    const kept = body.signatures.filter(({ kind }: { kind: string }) => kind === 'signature');
    expect([body.valid, kept.map(({ level }: { level: string }) => level)]).toEqual([
      true,
      // The document timestamp of a later signer covers the data of the earlier ones.
      signatures.map(({ level = 'b-b' }) => (name === 'two signers' ? 'b-lta' : level)),
    ]);
  });
});
