import { get, post } from './api.ts';
import type { ApiKey, List } from './types.ts';

/** The most keys that one request lists or revokes. */
const KEYS_PER_REQUEST = 100;

/** Whether a key works. */
export type KeyStatus = 'active' | 'revoked';

/** Reads the first pages of the account's active or revoked keys, newest first. */
export async function readKeys(
  status: KeyStatus,
  { pages, signal }: { pages: number; signal?: AbortSignal },
): Promise<List<ApiKey>> {
  const data: ApiKey[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/studio/api/keys?status=${status}&limit=${KEYS_PER_REQUEST}&offset=${data.length}`;
    const { data: found, has_more } = await get<List<ApiKey>>(path, signal);
    data.push(...found);
    if (!has_more || page === pages) return { data, has_more };
  }
}

export async function revokeKeys(ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += KEYS_PER_REQUEST)
    await post('/studio/api/keys/revoke', { ids: ids.slice(start, start + KEYS_PER_REQUEST) });
}
