import { octets, oid, sequence, smallInteger, tagged } from '../../../packages/pdf/signing/der.ts';
import type { Party } from './certificates.ts';

const DATA = '1.2.840.113549.1.7.1';
const EXPLICIT_0 = 0xa0;

const bag = (id: string, value: Buffer) => sequence(oid(id), tagged(EXPLICIT_0, value));
const data = (content: Buffer) => sequence(oid(DATA), tagged(EXPLICIT_0, octets(content)));

/** Makes a PKCS#12 file without encryption (RFC 7292) of a signer and of its issuers. */
export function pkcs12Of(signer: Party, issuers: readonly Party[]): Buffer {
  const key = bag('1.2.840.113549.1.12.10.1.1', signer.privateKey.export({ type: 'pkcs8', format: 'der' }));
  const certificates = [signer, ...issuers].map(({ der }) =>
    bag(
      '1.2.840.113549.1.12.10.1.3',
      sequence(oid('1.2.840.113549.1.9.22.1'), tagged(EXPLICIT_0, octets(der))),
    ),
  );
  return sequence(smallInteger(3), data(sequence(data(sequence(key, ...certificates)))));
}
