import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestService } from '../service/service.ts';

const folder = join(import.meta.dir, '../../../packages/signatures/tests/fixtures/certificates');

/** The password of all certificates of the tests. */
export const CERTIFICATE_PASSWORD = 'secret';

/** Reads a file of `packages/signatures/tests/fixtures/certificates`. */
export function certificateFile(name: string): Buffer {
  return readFileSync(join(folder, name));
}

/** Stores a certificate in the account of a service, and returns its id. */
export async function storeCertificate(service: TestService, name: string): Promise<string> {
  const pkcs12 = certificateFile(name).toString('base64');
  const { status, body } = await service.post('/v1/certificates', { pkcs12, password: CERTIFICATE_PASSWORD });
  if (status !== 201) throw new Error(`${status} ${body.error?.message}`);
  return body.id;
}

/** A signature as pdfsig, which is part of poppler, describes it. */
export interface PdfsigSignature {
  signer: string;
  type: string;
  valid: boolean;
  coversFile: boolean;
}

/** Validates the signatures of a PDF with pdfsig, and returns its results in the order of the signatures. */
export async function validateSignatures(pdf: Uint8Array): Promise<PdfsigSignature[]> {
  const path = join(tmpdir(), `platen-signed-${crypto.randomUUID()}.pdf`);
  await Bun.write(path, pdf);
  const child = Bun.spawn(['pdfsig', '-nocert', path], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  const output = await new Response(child.stdout).text();
  await child.exited;
  await Bun.file(path).delete();
  return output
    .split(/^Signature #\d+:$/m)
    .slice(1)
    .filter((text) => text.includes('Signature Type:'))
    .map((text) => ({
      signer: /Signer Certificate Common Name: (.*)/.exec(text)?.[1] ?? '',
      type: /Signature Type: (.*)/.exec(text)?.[1] ?? '',
      valid: text.includes('Signature is Valid.'),
      coversFile: text.includes('Total document signed'),
    }));
}
