import { readRows } from './list.ts';
import { useResource, type Resource } from './resource.ts';
import type { Certificate, List } from './types.ts';

/** Loads all certificates of the account, newest first. */
export function useCertificates(): Resource<List<Certificate>> {
  return useResource('certificates', (signal) => readRows<Certificate>('/v1/certificates', { signal }));
}

export function isValidNow({ not_before, not_after }: Certificate): boolean {
  return Date.parse(not_before) <= Date.now() && Date.now() < Date.parse(not_after);
}
