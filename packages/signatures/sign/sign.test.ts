import { describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PdfDocument } from '@platen/pdf/objects';
import { plainPdf } from '../../pdf/tests/plain-pdf.ts';
import { readPkcs12 } from '../certificates/pkcs12.ts';
import { signingAlgorithmOf } from '../certificates/signing-algorithm.ts';
import { checkCms, contentOf, readCms } from '../cms/read-cms.ts';
import { encodeSignature, signatureBytes, signedAttributes } from './encode-cms.ts';
import { prepareSignature } from './prepare-signature.ts';
import { digestWithoutSignature } from './reserved-signature.ts';

const file = (name: string) => readFileSync(join(import.meta.dir, '../tests/fixtures/certificates', name));

describe('prepareSignature', () => {
  const pdf = Buffer.from(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R>>',
    ]),
    'latin1',
  );
  const prepare = (more: object = {}) =>
    prepareSignature(PdfDocument.open(pdf), { signer: 'Ada', at: 0, reservedBytes: 9_000, ...more });

  test('covers every byte except the signature', () => {
    const prepared = prepare();
    const [, a, b, c] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(prepared.pdf.toString('latin1')) ?? [];
    expect(prepared.pdf.toString('latin1', Number(a), Number(a) + 1)).toBe('<');
    expect(prepared.pdf.toString('latin1', Number(b) - 1, Number(b))).toBe('>');
    expect(Number(b) + Number(c)).toBe(prepared.pdf.length);
    expect(prepared.digits).toBe(2 * 9_000);
  });

  test('is not misled by text that looks like an empty signature', () => {
    const reason = '/ByteRange [0 9999999999 9999999999 9999999999]\n/Contents <00>';
    const prepared = prepare({ reason });
    expect(prepared.pdf.toString('latin1')).toContain('9999999999]');
    expect(prepared.pdf.toString('latin1', prepared.offset - 11, prepared.offset)).toBe('/Contents <');
  });

  test.each(['ec.p12', 'rsa.p12'])('a signature with %s is read back, and a wrong one is refused', (name) => {
    const { certificate, chain: issuers, privateKey } = readPkcs12(file(name), 'secret');
    const chain = issuers.map(({ der }) => der);
    const prepared = prepare({ reservedBytes: signatureBytes(certificate, chain) });
    const { digest } = signingAlgorithmOf(certificate);
    const attributes = signedAttributes(certificate, digestWithoutSignature(prepared.pdf, prepared, digest));
    const key = { key: privateKey, format: 'der', type: 'pkcs8' } as const;
    const parts = { certificate, chain, attributes, signature: sign(digest, attributes, key) };
    const encoded = encodeSignature(parts);
    expect(encoded.length * 2).toBeLessThanOrEqual(prepared.digits);
    const cms = readCms(encoded);
    const { offset, digits, pdf: file_ } = prepared;
    const covered = Buffer.concat([file_.subarray(0, offset - 1), file_.subarray(offset + digits + 1)]);
    expect(checkCms(cms, contentOf(covered))).toBeUndefined();
    expect(checkCms(cms, contentOf(pdf))).toBe('does not match its content');
    expect([cms.namesSigner, cms.certificates.map(({ name: owner }) => owner).toSorted()]).toEqual([
      true,
      [certificate, ...issuers].map(({ name: owner }) => owner).toSorted(),
    ]);
    for (const signature of [Buffer.alloc(0), sign(digest, Buffer.from('other'), key)])
      expect(() => encodeSignature({ ...parts, signature })).toThrow('does not fit the key of its signer');
  });
});
