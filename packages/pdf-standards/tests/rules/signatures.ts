import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContentInfo, SignedData } from 'pkijs';
import { PdfDocument } from '@platen/pdf/objects';
import { decodeAsn1, encodeAsn1 } from '../../../signatures/asn1/asn1.ts';
import { readPkcs12 } from '../../../signatures/certificates/pkcs12.ts';
import { signingAlgorithmOf } from '../../../signatures/certificates/signing-algorithm.ts';
import { encodeSignature, signedAttributes } from '../../../signatures/sign/encode-cms.ts';
import { prepareSignature } from '../../../signatures/sign/prepare-signature.ts';
import { digestWithoutSignature } from '../../../signatures/sign/reserved-signature.ts';
import type { RuleSample } from './rule-sample.ts';

const RESERVED_BYTES = 9_000;
const archive = readFileSync(
  join(import.meta.dir, '../../../signatures/tests/fixtures/certificates/rsa.p12'),
);

/** Signs a file. `change` changes the encoded signature. */
function signed(pdf: Uint8Array, change = (cms: Buffer): Buffer => cms): Buffer {
  const { certificate, chain, privateKey } = readPkcs12(archive, 'secret');
  const request = { signer: 'Ada', at: 0, reservedBytes: RESERVED_BYTES };
  const prepared = prepareSignature(PdfDocument.open(pdf), request);
  const { digest } = signingAlgorithmOf(certificate);
  const attributes = signedAttributes(certificate, digestWithoutSignature(prepared.pdf, prepared, digest));
  const signature = sign(digest, attributes, { key: privateKey, format: 'der', type: 'pkcs8' });
  const parts = { certificate, chain: chain.map(({ der }) => der), attributes, signature };
  const cms = change(encodeSignature(parts));
  prepared.pdf.write(cms.toString('hex'), prepared.offset, 'latin1');
  return prepared.pdf;
}

/** Changes the structure of a signature. */
const altered = (change: (data: SignedData) => void) => (cms: Buffer) =>
  decodeAsn1(cms, (schema) => {
    const outer = new ContentInfo({ schema });
    const data = new SignedData({ schema: outer.content });
    change(data);
    return encodeAsn1(
      new ContentInfo({ contentType: outer.contentType, content: data.toSchema(true) }).toSchema(),
    );
  }).value;

/** Changes the last number of the byte ranges. */
function withLength(pdf: Buffer, change: (length: number) => number): Buffer {
  const text = pdf.toString('latin1');
  const changed = text.replace(
    /(\/ByteRange ?\[\d+ \d+ \d+ )(\d+)(\] *)/,
    (_, before: string, length: string, after: string) =>
      `${before}${change(Number(length))}]`.padEnd(before.length + length.length + after.length),
  );
  return Buffer.from(changed, 'latin1');
}

/** Signed files (ISO 19005-2 6.4.3). Part 1 has no rule about signatures. */
export const SIGNATURE_SAMPLES: RuleSample[] = [
  { name: 'a signature', conforms: true, change: (pdf) => signed(pdf) },
  { name: 'two signatures', conforms: true, change: (pdf) => signed(signed(pdf)) },
  {
    name: 'a signature without certificates',
    conforms: '1b',
    change: (pdf) =>
      signed(
        pdf,
        altered((data) => {
          Object.assign(data, { certificates: undefined });
        }),
      ),
  },
  {
    name: 'a signature with an empty list of certificates',
    conforms: '1b',
    change: (pdf) =>
      signed(
        pdf,
        altered((data) => {
          data.certificates = [];
        }),
      ),
  },
  {
    name: 'a signature of two signers',
    conforms: '1b',
    change: (pdf) =>
      signed(
        pdf,
        altered((data) => {
          data.signerInfos = data.signerInfos.flatMap((info) => [info, info]);
        }),
      ),
  },
  {
    name: 'a signature without signers',
    conforms: '1b',
    change: (pdf) =>
      signed(
        pdf,
        altered((data) => {
          data.signerInfos = [];
        }),
      ),
  },
  {
    name: 'a signature that is not CMS',
    conforms: '1b',
    change: (pdf) => signed(pdf, (cms) => Buffer.from(cms).fill(0)),
  },
  {
    name: 'a signature that does not cover the end of the file',
    conforms: '1b',
    change: (pdf) => withLength(signed(pdf), (length) => length - 10),
  },
  {
    name: 'a signature that covers a later update',
    conforms: '1b',
    change(pdf) {
      const first = signed(pdf);
      const both = signed(first);
      return withLength(both, (length) => length + both.length - first.length);
    },
  },
];
