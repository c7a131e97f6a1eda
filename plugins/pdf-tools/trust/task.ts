import { Asn1Fault, readPem } from '@platen/signatures';

/** Checks that text contains certificates in PEM. Returns the fault, if there is one. */
export function checkRoots(pem: string): string | undefined {
  try {
    readPem(pem);
    return undefined;
  } catch (error) {
    if (error instanceof Asn1Fault) return error.message;
    throw error;
  }
}
