import { ownedRecords, type AccountData, type Collection } from '../../../src/plugin.ts';
import type { StoredCertificate } from './collections.ts';
import { presentCertificate } from './present.ts';

/** Declares the certificates as data of their accounts. An export does not contain the keys. */
export function certificateData(certificates: Collection<StoredCertificate>): AccountData {
  return ownedRecords({
    name: 'certificates',
    collection: certificates,
    present: (stored) => ({ record: presentCertificate(stored) }),
  });
}
