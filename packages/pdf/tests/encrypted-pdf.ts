import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { hardenedHash } from '../objects/encryption-r6.ts';
import { PdfStream, PdfDocument, serialize } from '../objects/index.ts';
import { rc4 } from '../objects/rc4.ts';
import { layOut, type Layout, type LaidOutObject } from './layout.ts';

/** An encryption of the standard security handler (ISO 32000-2 7.6.4), with passwords in ASCII. */
export interface SampleEncryption {
  version: 1 | 2 | 4 | 5;
  revision: 2 | 3 | 4 | 5 | 6;
  keyBytes: number;
  /** The method of the crypt filter `StdCF`, from version 4 on. */
  method?: 'V2' | 'AESV2' | 'AESV3';
  /** The crypt filters of streams, strings and embedded files. They are `StdCF` by default. */
  filters?: { StmF?: string; StrF?: string; EFF?: string };
  encryptMetadata?: boolean;
  userPassword?: string;
  ownerPassword?: string;
}

/** The first file identifier that the key is derived from, and the entry `ID` of the trailer. */
export interface SampleIdentity {
  first: Uint8Array;
  entry: string;
  /** The value of the object `ID_OBJECT`, if `entry` refers to it. */
  object?: string;
}

/** The number of the object that an indirect `ID` refers to. */
export const ID_OBJECT = 90;
const ENCRYPT_OBJECT = 91;

const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const PERMISSIONS = -4;
const NOTHING = new Uint8Array(0);

/** Encrypts a PDF that is not encrypted. `isDirect` writes the encryption dictionary in the trailer. */
export function encryptedPdf(
  plain: string,
  encryption: SampleEncryption,
  {
    identity,
    layout = {},
    isDirect = false,
  }: { identity: SampleIdentity; layout?: Layout; isDirect?: boolean },
): Buffer {
  const { key, dict } = createKey(encryption, identity.first);
  const document = PdfDocument.open(Buffer.from(plain, 'latin1'));
  const numbering = ({ number }: { number: number }) => number;
  const objects: LaidOutObject[] = [];
  for (const [number, entry] of document.xref.entries) {
    if (entry.kind !== 'in-use') continue;
    const value = document.ref(number).value;
    const seal = (filter: string | undefined) =>
      cipherOf(encryption, filter, objectKey(encryption, key, number));
    const { StmF, StrF, EFF } = encryption.filters ?? {};
    const sealString = seal(StrF);
    if (!(value instanceof PdfStream)) {
      const text = serialize(value, numbering, sealString);
      // An object stream is encrypted as a whole, so the strings in it are not.
      objects.push({ number, text, packedText: serialize(value, numbering) });
      continue;
    }
    const type = value.dict.name('Type');
    const isClear = type === 'Metadata' && encryption.encryptMetadata === false;
    const sealStream = isClear ? seal('Identity') : seal(type === 'EmbeddedFile' ? (EFF ?? StmF) : StmF);
    const data = sealStream(value.raw);
    const head = serialize(value.dict.copy().set('Length', data.length), numbering, sealString);
    objects.push({ number, text: streamText(head, data) });
  }
  if (identity.object !== undefined) objects.push({ number: ID_OBJECT, text: identity.object });
  if (!isDirect) objects.push({ number: ENCRYPT_OBJECT, text: dict });
  return layOut(objects, {
    ...layout,
    trailer: `${trailerOf(document)}/Encrypt ${isDirect ? dict : `${ENCRYPT_OBJECT} 0 R`}${identity.entry}${layout.trailer ?? ''}`,
    sealPack: (data, number) =>
      cipherOf(encryption, encryption.filters?.StmF, objectKey(encryption, key, number))(data),
  });
}

/** Writes a PDF that is not encrypted with another layout. */
export function laidOutPdf(plain: string, layout: Layout): Buffer {
  const document = PdfDocument.open(Buffer.from(plain, 'latin1'));
  const numbering = ({ number }: { number: number }) => number;
  const objects = [...document.xref.entries].flatMap(([number, { kind }]) => {
    if (kind !== 'in-use') return [];
    const value = document.ref(number).value;
    if (!(value instanceof PdfStream)) {
      const text = serialize(value, numbering);
      return [{ number, text, packedText: text }];
    }
    return [{ number, text: streamText(serialize(value.dict, numbering), value.raw) }];
  });
  return layOut(objects, { ...layout, trailer: `${trailerOf(document)}${layout.trailer ?? ''}` });
}

function trailerOf({ trailer }: PdfDocument): string {
  return ['Root', 'Info']
    .map((key) => [key, trailer.raw(key)] as const)
    .map(([key, value]) => (value ? `/${key} ${serialize(value, ({ number }) => number)}` : ''))
    .join('');
}

function streamText(head: string, data: Uint8Array): string {
  return `${head}\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
}

function createKey(encryption: SampleEncryption, id: Uint8Array): { key: Uint8Array; dict: string } {
  const { version, revision, keyBytes, method, filters = {}, encryptMetadata } = encryption;
  const { key, entries } = revision >= 5 ? createKey6(encryption) : createKey4(encryption, id);
  const filterEntries =
    version < 4
      ? ''
      : `/CF<</StdCF<</CFM/${method}/AuthEvent/DocOpen/Length ${keyBytes}>>>>` +
        Object.entries({ StmF: 'StdCF', StrF: 'StdCF', ...filters })
          .map(([name, filter]) => `/${name}/${filter}`)
          .join('');
  const metadata = encryptMetadata === false ? '/EncryptMetadata false' : '';
  const dict = `<</Filter/Standard/V ${version}/R ${revision}/Length ${keyBytes * 8}/P ${PERMISSIONS}${entries}${filterEntries}${metadata}>>`;
  return { key, dict };
}

/** Algorithms 2 to 5 of ISO 32000-1 7.6.3. */
function createKey4(
  { revision, keyBytes, userPassword = '', ownerPassword = 'owner', encryptMetadata }: SampleEncryption,
  id: Uint8Array,
): { key: Uint8Array; entries: string } {
  const turns = revision >= 3 ? 50 : 0;
  const hash = (bytes: Uint8Array) => {
    let digest: Uint8Array = md5(bytes);
    for (let turn = 0; turn < turns; turn++) digest = md5(digest.subarray(0, keyBytes));
    return digest.subarray(0, keyBytes);
  };
  const seal = (key: Uint8Array, bytes: Uint8Array) => {
    let result = bytes;
    for (let turn = 0; turn < (revision >= 3 ? 20 : 1); turn++)
      result = rc4(
        key.map((byte) => byte ^ turn),
        result,
      );
    return result;
  };
  const owner = seal(hash(padded(ownerPassword)), padded(userPassword));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const clear = revision >= 4 && encryptMetadata === false ? Buffer.alloc(4, 255) : NOTHING;
  const key = hash(Buffer.concat([padded(userPassword), owner, permissions, id, clear]));
  const user =
    revision < 3
      ? rc4(key, PAD)
      : Buffer.concat([seal(key, md5(Buffer.concat([PAD, id]))), Buffer.alloc(16)]);
  return { key, entries: `/O${hex(owner)}/U${hex(user)}` };
}

/** Algorithms 8 to 10 of ISO 32000-2 7.6.4.4. Revision 5 hashes once. */
function createKey6({
  revision,
  userPassword = '',
  ownerPassword = 'owner',
  encryptMetadata = true,
}: SampleEncryption): { key: Uint8Array; entries: string } {
  const key = randomBytes(32);
  const hash = (password: string, salt: Uint8Array, context: Uint8Array) =>
    revision === 5
      ? createHash('sha256').update(password).update(salt).update(context).digest()
      : hardenedHash(Buffer.from(password), salt, context).hash;
  const entry = (password: string, context: Uint8Array) => {
    const salts = randomBytes(16);
    const wrapping = createCipheriv(
      'aes-256-cbc',
      hash(password, salts.subarray(8), context),
      Buffer.alloc(16),
    ).setAutoPadding(false);
    return {
      check: Buffer.concat([hash(password, salts.subarray(0, 8), context), salts]),
      wrapped: Buffer.concat([wrapping.update(key), wrapping.final()]),
    };
  };
  const user = entry(userPassword, NOTHING);
  const owner = entry(ownerPassword, user.check);
  const block = Buffer.alloc(16, 255);
  block.writeInt32LE(PERMISSIONS);
  block.write(`${encryptMetadata ? 'T' : 'F'}adb`, 8, 'latin1');
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const perms = Buffer.concat([cipher.update(block), cipher.final()]);
  const entries = `/O${hex(owner.check)}/OE${hex(owner.wrapped)}/U${hex(user.check)}/UE${hex(user.wrapped)}/Perms${hex(perms)}`;
  return { key, entries };
}

/** Algorithm 1 of ISO 32000-1 7.6.2. */
function objectKey({ version, method }: SampleEncryption, key: Uint8Array, number: number): Uint8Array {
  if (version === 5) return key;
  const salt = Buffer.from([number, number >> 8, number >> 16, 0, 0]);
  const aes = method === 'AESV2' ? Buffer.from('sAlT', 'latin1') : NOTHING;
  return md5(Buffer.concat([key, salt, aes])).subarray(0, Math.min(key.length + 5, 16));
}

function cipherOf({ method }: SampleEncryption, filter: string | undefined, key: Uint8Array) {
  return (bytes: Uint8Array): Uint8Array => {
    if (filter === 'Identity') return bytes;
    if (method === undefined || method === 'V2') return rc4(key, bytes);
    const start = randomBytes(16);
    const cipher = createCipheriv(method === 'AESV2' ? 'aes-128-cbc' : 'aes-256-cbc', key, start);
    return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
  };
}

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PAD]).subarray(0, 32);
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}

function hex(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes).toString('hex')}>`;
}
