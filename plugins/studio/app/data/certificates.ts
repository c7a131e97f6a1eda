import { get } from './api.ts';
import { useResource, type Resource } from './resource.ts';
import type { Certificate, List } from './types.ts';

/** Loads the certificates of the account, newest first. */
export function useCertificates(): Resource<List<Certificate>> {
  return useResource('certificates', (signal) =>
    get<List<Certificate>>('/v1/certificates?limit=100', signal),
  );
}

/** Tells whether a certificate is valid now. */
export function isValidNow({ not_before, not_after }: Certificate): boolean {
  return Date.parse(not_before) <= Date.now() && Date.now() < Date.parse(not_after);
}
