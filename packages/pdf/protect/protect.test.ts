import { describe, expect, test } from 'bun:test';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { Dict, name, PdfDocument, PdfError, PdfString, Ref, writePdf } from '../objects/index.ts';
import { hardenedHash } from '../objects/encryption-r6.ts';
import { createEncryption, type Protection } from '../objects/protection.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { protectDocument } from './protect.ts';
import { unlockDocument } from './unlock.ts';

const FIELDS = { ownerPassword: 'owner_password', userPassword: 'user_password' };

const sample = () =>
  plainPdf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
      stream('0 0 9 9 re f'),
      '<</Title(Plans)>>',
    ],
    '/Info 5 0 R',
  );

const open = (pdf: string | Uint8Array, password?: string) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf, password);

const titleOf = (document: PdfDocument) => document.trailer.dict('Info')?.string('Title')?.key;

/** Encrypts a document without the checks of `protectDocument`. */
function encryptSample(protection: Protection): Buffer {
  const document = open(sample());
  return writePdf({
    root: Ref.to(document.catalog),
    info: Ref.to(Dict.of({ Title: new PdfString(Buffer.from('Plans')) })),
    version: '2.0',
    compact: false,
    encryption: createEncryption(protection),
  });
}

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof PdfError) return error.fault;
    throw error;
  }
  return 'none';
}

describe('a protected document', () => {
  test('opens with either password, and with no other', () => {
    const pdf = protectDocument(open(sample()), { ownerPassword: 'owner', userPassword: 'üser€' }, FIELDS);
    expect(pdf.includes('Plans')).toBe(false);
    for (const password of ['owner', 'üser€']) {
      const document = open(pdf, password);
      expect([document.encrypted, titleOf(document)]).toEqual([true, 'Plans']);
    }
    expect(faultOf(() => open(pdf))).toBe('needs-password');
    expect(faultOf(() => open(pdf, 'user'))).toBe('wrong-password');
  });

  test('has salts with which all readers compute the same hashes', () => {
    const empty = Buffer.alloc(0);
    // Salts of eight bytes that end at the limit, from another implementation of algorithm 2.B.
    const found = Array.from({ length: 40 }, (_, last) => last).filter(
      (last) => hardenedHash(empty, Buffer.from([0, 0, 0, 0, 0, 0, 0, last]), empty).isAtLimit,
    );
    expect(found).toEqual([12, 30]);
    for (let file = 0; file < 60; file++) {
      const { dict } = createEncryption({ ownerPassword: 'owner', userPassword: '', permissions: -4 });
      const [user, owner] = ['U', 'O'].map((key) => dict.string(key)!.bytes) as [Uint8Array, Uint8Array];
      for (const start of [32, 40])
        expect([
          hardenedHash(empty, user.subarray(start, start + 8), empty).isAtLimit,
          hardenedHash(Buffer.from('owner'), owner.subarray(start, start + 8), user).isAtLimit,
        ]).toEqual([false, false]);
    }
  });

  test('opens with a password that is normalized differently', () => {
    const pdf = protectDocument(open(sample()), { ownerPassword: 'cafe\u0301\u00a0\ufb01' }, FIELDS);
    expect(titleOf(open(pdf, 'caf\u00e9 fi'))).toBe('Plans');
  });

  test('has its encryption dictionary outside object streams', () => {
    const document = open(sample());
    Object.defineProperty(document, 'compact', { value: true });
    const pdf = protectDocument(document, { ownerPassword: 'owner' }, FIELDS);
    const written = open(pdf, 'owner');
    const encrypt = written.trailer.raw('Encrypt');
    expect(encrypt).toBeInstanceOf(Ref);
    expect(written.xref.entries.get((encrypt as Ref).number)?.kind).toBe('in-use');
    expect(titleOf(written)).toBe('Plans');
  });

  test('can be unlocked', () => {
    const pdf = protectDocument(open(sample()), { ownerPassword: 'owner', userPassword: 'user' }, FIELDS);
    const unlocked = open(unlockDocument(open(pdf, 'user')));
    expect([unlocked.encrypted, titleOf(unlocked)]).toEqual([false, 'Plans']);
  });
});

describe('a document with a user password and an empty owner password', () => {
  test('opens without a password: revision 6', () => {
    const pdf = encryptSample({ ownerPassword: '', userPassword: 'asdfasdf', permissions: -4 });
    expect(titleOf(open(pdf))).toBe('Plans');
  });

  test('opens without a password: revision 5', () => {
    const key = randomBytes(32);
    const hash = (salt: Uint8Array, password: string, context = '') =>
      createHash('sha256').update(password).update(salt).update(Buffer.from(context, 'latin1')).digest();
    const entry = (password: string, context = '') => {
      const [check, salt] = [randomBytes(8), randomBytes(8)];
      const cipher = createCipheriv('aes-256-cbc', hash(salt, password, context), Buffer.alloc(16));
      cipher.setAutoPadding(false);
      const wrapped = Buffer.concat([cipher.update(key), cipher.final()]);
      return [Buffer.concat([hash(check, password, context), check, salt]), wrapped] as const;
    };
    const [u, ue] = entry('secret');
    const [o, oe] = entry('', u.toString('latin1'));
    const dict = Dict.of({ Filter: name('Standard'), V: 5, R: 5, P: -4 })
      .set('CF', Dict.of({ StdCF: Dict.of({ CFM: name('AESV3') }) }))
      .set('StmF', name('StdCF'))
      .set('StrF', name('StdCF'));
    for (const [entryName, bytes] of Object.entries({ U: u, UE: ue, O: o, OE: oe }))
      dict.set(entryName, new PdfString(bytes));
    const seal = (bytes: Uint8Array) => {
      const start = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', key, start);
      return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
    };
    const pdf = writePdf({
      root: Ref.to(open(sample()).catalog),
      info: Ref.to(Dict.of({ Title: new PdfString(Buffer.from('Plans')) })),
      version: '2.0',
      compact: false,
      encryption: { dict, userPassword: '', encrypt: seal },
    });
    expect(titleOf(open(pdf))).toBe('Plans');
  });
});
