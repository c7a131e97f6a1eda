import { createHash } from 'node:crypto';
import type { Dict } from './objects.ts';
import { rc4 } from './rc4.ts';

const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/**
 * Computes the file key of revisions 2 to 4 from the user or the owner password (ISO 32000-1 7.6.3,
 * algorithms 2 to 7). Returns `undefined` if the password is neither.
 */
export function fileKeyOfRevision4(
  dict: Dict,
  revision: number,
  { id, password }: { id: Uint8Array; password: Uint8Array },
): Uint8Array | undefined {
  const owner = dict.string('O')?.bytes;
  const user = dict.string('U')?.bytes;
  if (!owner || !user) return undefined;
  const bits = (dict.number('V') ?? 1) === 1 ? 40 : keyBits(dict);
  const size = Math.min(16, Math.max(5, bits >> 3));
  const padded = padPassword(password);
  const open = (userPassword: Uint8Array) => {
    const key = userKey(dict, revision, { id, size, owner, userPassword });
    return matchesUser(key, revision, id, user) ? key : undefined;
  };
  return open(padded) ?? open(userPasswordOf(owner.subarray(0, 32), padded, { revision, size }));
}

function padPassword(password: Uint8Array): Buffer {
  return Buffer.concat([password, PAD]).subarray(0, 32);
}

/** Computes the file key from the user password (algorithm 2). */
function userKey(
  dict: Dict,
  revision: number,
  {
    id,
    size,
    owner,
    userPassword,
  }: { id: Uint8Array; size: number; owner: Uint8Array; userPassword: Uint8Array },
): Uint8Array {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE((dict.number('P') ?? 0) | 0);
  const hash = createHash('md5')
    .update(userPassword)
    .update(owner.subarray(0, 32))
    .update(permissions)
    .update(id);
  if (revision >= 4 && dict.get('EncryptMetadata') === false) hash.update(Buffer.alloc(4, 255));
  let key: Uint8Array = hash.digest().subarray(0, size);
  if (revision >= 3) for (let turn = 0; turn < 50; turn++) key = md5(key).subarray(0, size);
  return key;
}

/** Decrypts the user password in `O` with the owner password (algorithm 7). The result is padded. */
function userPasswordOf(
  owner: Uint8Array,
  password: Uint8Array,
  { revision, size }: { revision: number; size: number },
): Uint8Array {
  let hash: Uint8Array = md5(password);
  if (revision >= 3) for (let turn = 0; turn < 50; turn++) hash = md5(hash);
  const key = hash.subarray(0, size);
  return revision < 3 ? rc4(key, owner) : repeatRc4(key, owner, { from: 19, to: 0 });
}

function keyBits(dict: Dict): number {
  if ((dict.number('V') ?? 0) >= 4) return 128;
  const bits = dict.number('Length') ?? 40;
  // Some writers give the length in bytes.
  return bits < 40 ? bits * 8 : bits;
}

function matchesUser(key: Uint8Array, revision: number, id: Uint8Array, user: Uint8Array): boolean {
  if (revision < 3) return Buffer.compare(rc4(key, PAD), user.subarray(0, 32)) === 0;
  const start = createHash('md5').update(PAD).update(id).digest();
  const check = repeatRc4(key, start, { from: 0, to: 19 });
  return Buffer.compare(check.subarray(0, 16), user.subarray(0, 16)) === 0;
}

/** Applies RC4 with the key combined with each number of a range. */
function repeatRc4(
  key: Uint8Array,
  bytes: Uint8Array,
  { from, to }: { from: number; to: number },
): Uint8Array {
  const step = from < to ? 1 : -1;
  let result = bytes;
  for (let turn = from; turn !== to + step; turn += step)
    result = rc4(
      key.map((byte) => byte ^ turn),
      result,
    );
  return result;
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}
