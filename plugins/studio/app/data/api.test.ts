import { afterEach, beforeAll, beforeEach, describe, expect, spyOn, test, type Mock } from 'bun:test';
import { needsConfirmation, onRoleRefused, onSignedOut, reasonOf, send } from './api.ts';

test('the field with which a message begins is replaced with its subject, if it has one', () => {
  const error = new Error('file: is not a PDF');
  expect(reasonOf(error, { file: 'c.pem' })).toBe('c.pem is not a PDF');
  expect(reasonOf(error, { pdf: 'a.pdf' })).toBe('file: is not a PDF');
  expect(reasonOf(error)).toBe('file: is not a PDF');
});

test('a message that begins with a word begins with a capital letter', () => {
  expect(reasonOf(new Error('the password is wrong'))).toBe('The password is wrong');
  expect(reasonOf('ranges[0]: must be a page', { ranges: 'Ranges' })).toBe('ranges[0]: must be a page');
});

describe('the reaction to an error', () => {
  let fetching: Mock<typeof fetch>;
  let signedOut = 0;
  let refused = 0;
  beforeAll(() => {
    onSignedOut(() => (signedOut += 1));
    onRoleRefused(() => (refused += 1));
  });
  beforeEach(() => {
    signedOut = 0;
    refused = 0;
    fetching = spyOn(globalThis, 'fetch');
  });
  // Other files use the same process.
  afterEach(() => fetching.mockRestore());

  /** Sends a request that gets an error, and returns the error. */
  async function fail(status: number, error: object, path = '/studio/api/keys'): Promise<unknown> {
    fetching.mockResolvedValue(Response.json({ error }, { status }));
    return send('GET', path).catch((thrown: unknown) => thrown);
  }
  const withCode = (code: string, message: string) => ({
    code: 'FORBIDDEN',
    message,
    details: [{ path: '', code, message }],
  });

  test('to a suspended account depends on its code and not on its message', async () => {
    await fail(403, withCode('ACCOUNT_SUSPENDED', 'any other sentence'));
    expect(signedOut).toBe(1);
    await fail(403, { code: 'FORBIDDEN', message: 'the account is suspended', details: [] });
    expect(signedOut).toBe(1);
  });

  test('to the suspension of another account does not end the session', async () => {
    await fail(403, withCode('ACCOUNT_SUSPENDED', 'suspended'), '/studio/api/session/account');
    await fail(403, withCode('ACCOUNT_SUSPENDED', 'suspended'), '/studio/api/link/claim');
    expect(signedOut).toBe(0);
  });

  test('to a missing role is announced, so that the session is read again', async () => {
    await fail(403, withCode('MISSING_ROLE', 'any sentence'));
    await fail(403, { code: 'FORBIDDEN', message: 'this needs the role "admin"', details: [] });
    expect([refused, signedOut]).toEqual([1, 0]);
  });

  test('to a session that must be confirmed depends on its code and not on its message', async () => {
    expect(needsConfirmation(await fail(403, withCode('CONFIRMATION_REQUIRED', 'any sentence')))).toBe(true);
    const message = 'the session must be confirmed again with the password or a passkey';
    expect(needsConfirmation(await fail(403, { code: 'FORBIDDEN', message, details: [] }))).toBe(false);
    expect(signedOut).toBe(0);
  });

  test('never depends on a message, anywhere in the application', async () => {
    const app = new URL('..', import.meta.url).pathname;
    const compared: string[] = [];
    for (const name of new Bun.Glob('**/*.{ts,tsx}').scanSync(app)) {
      const source = await Bun.file(app + name).text();
      if (/\.message(?: [!=]==? |\.(?:startsWith|includes|match|endsWith)\()/.test(source))
        compared.push(name);
    }
    expect(compared).toEqual([]);
  });

  test('to a wrong password at the sign-in does not end the session', async () => {
    await fail(401, { code: 'UNAUTHORIZED', message: 'no', details: [] }, '/studio/api/sign-in');
    expect(signedOut).toBe(0);
    await fail(401, { code: 'UNAUTHORIZED', message: 'no', details: [] });
    expect(signedOut).toBe(1);
  });
});
