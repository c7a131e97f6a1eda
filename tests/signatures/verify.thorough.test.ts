import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagesPdf } from '../support/pdf/samples.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { TIMEOUT_MS, requirePyHanko, runPython, startPki, type TestPki } from './pyhanko.ts';

/** The result of a validator for all signatures of a file together. */
interface Verdict {
  valid: boolean;
  intact: boolean;
  count: number;
}

/** The files whose signatures pdfsig does not support: Ed25519, and document timestamps. */
const UNKNOWN_TO_PDFSIG = /ed25519|timestamped|lta/;
/** The files with a certificate that is not valid. */
const INVALID = ['expired-b-t.pdf', 'expired.pdf', 'revoked.pdf'];

describe.if(requirePyHanko() && requireTools())('files that pyHanko signed', () => {
  let pki: TestPki;
  let service: TestService;
  let files: string[] = [];

  beforeAll(async () => {
    pki = await startPki();
    service = await TestService.start({ env: { EGRESS_ALLOW: pki.host } });
    const source = join(pki.folder, 'source');
    await Bun.write(source, Buffer.from(pagesPdf(2), 'latin1'));
    const port = pki.host.slice(pki.host.indexOf(':') + 1);
    files = await runPython<string[]>('pki.py', 'sign', pki.folder, port, source);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await pki?.[Symbol.asyncDispose]();
  });

  test(
    'verify agrees with pyHanko and pdfsig',
    async () => {
      expect(files.length).toBeGreaterThan(15);
      const paths = files.map((file) => join(pki.folder, file));
      const expected = await runPython<Record<string, Verdict>>('pki.py', 'validate', ...paths);
      const ours: Record<string, Verdict> = {};
      const sound: Record<string, number> = {};
      for (const file of files) {
        const pdf = await readFile(join(pki.folder, file));
        const request = { pdf: pdf.toString('base64'), trust: pki.root };
        const { body } = await service.post('/v1/pdf/verify', request);
        const isIntact = ({ intact }: { intact: boolean }) => intact;
        ours[file] = {
          valid: body.valid,
          intact: body.signatures.every(isIntact),
          count: body.signatures.length,
        };
        if (!UNKNOWN_TO_PDFSIG.test(file)) sound[file] = await countSound(join(pki.folder, file));
      }
      const compared = Object.entries(expected).map(
        ([file, { valid, intact, count }]) => [file, { valid, intact, count }] as const,
      );
      expect(ours).toEqual(Object.fromEntries(compared));
      expect(sound).toEqual(
        Object.fromEntries(Object.keys(sound).map((file) => [file, ours[file]?.count ?? 0])),
      );
      const invalid = files.filter((file) => ours[file]?.valid === false);
      expect(invalid.toSorted()).toEqual(INVALID);
    },
    TIMEOUT_MS,
  );
});

/**
 * Counts the signatures whose integrity pdfsig confirms. pdfsig does not know the roots, so it does not check
 * the certificates.
 */
async function countSound(path: string): Promise<number> {
  const output = await Bun.$`pdfsig -nocert ${path}`.nothrow().quiet().text();
  return output.match(/Signature is Valid/g)?.length ?? 0;
}
