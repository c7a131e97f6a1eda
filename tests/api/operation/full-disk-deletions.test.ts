import { beforeAll, describe, expect, test } from 'bun:test';
import { samplePng } from '../../../plugins/assets/examples.ts';
import { assetSets } from '../../../plugins/assets/collections.ts';
import { orphanMarks } from '../../../plugins/templates/collections.ts';
import { reservedEntriesSpec } from '../../../src/audit/entry.ts';
import { Authenticator } from '../../support/studio/authenticator.ts';
import { completed, onePagers } from '../../support/batch/batches.ts';
import { CERTIFICATE_PASSWORD, certificateFile } from '../../support/signatures/certificates.ts';
import { made, onFullDisk, openStore } from '../../support/service/full-disk.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { assembledRoutes } from '../../support/studio/assembled-routes.ts';
import { Browser, newLink, PASSWORD } from '../../support/studio/studio.ts';
import { onMongoAndS3 } from '../../support/suite.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });
const routes = assembledRoutes();

/**
 * Returns the address of the service with a host name, because browsers offer no passkeys at an IP address.
 */
const atLocalhost = () => {
  const { port } = new URL(service().url);
  return { origin: `http://localhost:${port}`, host: `localhost:${port}` };
};

const draft = { name: 'a', html_content: '<p>a</p>' };

async function makeTemplate(owner: Browser): Promise<string> {
  const { id } = await made(owner.post('/v1/templates', draft));
  await made(owner.put(`/v1/templates/${id}`, { html_content: '<p>b</p>' }));
  return id;
}

async function makeTrash(owner: Browser): Promise<string> {
  const id = await makeTemplate(owner);
  await made(owner.post(`/studio/api/trash/templates/${id}`));
  return id;
}

async function makeFile(owner: Browser): Promise<string> {
  const file = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
  return (await made(owner.post('/v1/files', { file }))).id;
}

async function makeGeneration(owner: Browser): Promise<string> {
  return (await made(owner.post('/v1/generate', { html: '<p>a</p>' }))).id;
}

/** Makes a batch of one item, and returns the id of the item. */
async function makeBatch(owner: Browser): Promise<string> {
  const { key } = await made(owner.post('/studio/api/keys', { name: 'k' }));
  const body = await made(owner.post('/v1/generate/batch', { items: onePagers(1) }));
  const batch = await completed(service(), { status: 202, headers: new Headers(), body }, key);
  return batch.generations[0].id;
}

async function makeCertificate(owner: Browser): Promise<string> {
  const pkcs12 = certificateFile('rsa.p12').toString('base64');
  const upload = { name: 'c', pkcs12, password: CERTIFICATE_PASSWORD };
  return (await made(owner.post('/v1/certificates', upload))).id;
}

/** Uploads an asset as a release did that did not store the state of the assets of an account. */
async function makeEarlierAsset(owner: Browser): Promise<void> {
  await made(owner.post('/v1/assets', { name: 'a.png', data: samplePng }));
  const { id } = (await owner.get('/studio/api/session')).body.account;
  const store = await openStore(service());
  await (await store.collection(assetSets)).delete({ id });
  await store.close();
}

async function makeKey(owner: Browser): Promise<string> {
  return (await made(owner.post('/studio/api/keys', { name: 'k' }))).id;
}

async function makePasskey(owner: Browser) {
  const authenticator = new Authenticator(atLocalhost().origin);
  const { ceremony, options } = await made(owner.post('/studio/api/passkeys/options'));
  const response = authenticator.register(options);
  const { id } = await made(owner.post('/studio/api/passkeys', { ceremony, response, name: 'Laptop' }));
  return { authenticator, id };
}

/** Opens a browser that has signed in to a new account. */
async function newOwner(): Promise<Browser> {
  const owner = new Browser(service(), atLocalhost());
  const token = await newLink(service(), { email: owner.email });
  await made(owner.post('/studio/api/link/claim', { token, password: PASSWORD }));
  return owner;
}

/** Makes a link for a new account. */
async function makeLink(): Promise<string> {
  return newLink(service(), { email: `${crypto.randomUUID()}@example.com` });
}

/** Signs another browser of a person in. */
async function makeSession(owner: Browser): Promise<{ other: Browser; id: string }> {
  const other = owner.another(atLocalhost());
  await made(other.signIn());
  return { other, id: (await other.get('/studio/api/session')).body.session.id };
}

/**
 * Stores what a request needs while the disk has room, and returns the function that sends the request. The
 * owner is that of all tests.
 */
type Prepare = (owner: Browser) => Promise<() => Promise<ApiResponse>>;

/** The requests with `DELETE`. */
const DELETIONS: Record<string, Prepare> = {
  '/v1/templates/:id': async (owner) => {
    const id = await makeTemplate(owner);
    return () => owner.delete(`/v1/templates/${id}`);
  },
  '/v1/templates/:id/cases/:name': async (owner) => {
    const id = await makeTemplate(owner);
    await made(owner.put(`/v1/templates/${id}/cases/long`, { data: {} }));
    return () => owner.delete(`/v1/templates/${id}/cases/long`);
  },
  '/v1/templates/:id/versions/:version': async (owner) => {
    const id = await makeTemplate(owner);
    const { version } = await made(owner.put(`/v1/templates/${id}`, { html_content: 'c', draft: true }));
    return () => owner.delete(`/v1/templates/${id}/versions/${version}`);
  },
  '/v1/webhook-endpoints/:id': async (owner) => {
    const endpoint = { url: 'https://example.com/hook', events: ['batch.completed'] };
    const { id } = await made(owner.post('/v1/webhook-endpoints', endpoint));
    return () => owner.delete(`/v1/webhook-endpoints/${id}`);
  },
  '/v1/files/:id': async (owner) => {
    const id = await makeFile(owner);
    return () => owner.delete(`/v1/files/${id}`);
  },
  '/v1/generations/:id': async (owner) => {
    const id = await makeGeneration(owner);
    return () => owner.delete(`/v1/generations/${id}`);
  },
  '/v1/certificates/:id': async (owner) => {
    const id = await makeCertificate(owner);
    return () => owner.delete(`/v1/certificates/${id}`);
  },
  '/v1/assets/:name': async (owner) => {
    await makeEarlierAsset(owner);
    return () => owner.delete('/v1/assets/a.png');
  },
  '/studio/api/keys/:id': async (owner) => {
    const id = await makeKey(owner);
    return () => owner.delete(`/studio/api/keys/${id}`);
  },
  '/v1/keys/:id': async (owner) => {
    const id = await makeKey(owner);
    return () => owner.delete(`/v1/keys/${id}`);
  },
  '/studio/api/members/:id': async (owner) => {
    const member = await Browser.member(owner, 'editor');
    const { id } = (await member.get('/studio/api/session')).body.person;
    return () => owner.delete(`/studio/api/members/${id}`);
  },
  '/studio/api/members/invitations/:id': async (owner) => {
    await owner.invite(`${crypto.randomUUID()}@example.com`, 'viewer');
    const [{ id }] = (await owner.get('/studio/api/members/invitations')).body.data;
    return () => owner.delete(`/studio/api/members/invitations/${id}`);
  },
  '/studio/api/passkeys/:id': async (owner) => {
    const { id } = await makePasskey(owner);
    return () => owner.delete(`/studio/api/passkeys/${id}`);
  },
  '/studio/api/sessions': async () => {
    const owner = await newOwner();
    await makeSession(owner);
    return () => owner.delete('/studio/api/sessions');
  },
  '/studio/api/sessions/:id': async (owner) => {
    const { id } = await makeSession(owner);
    return () => owner.delete(`/studio/api/sessions/${id}`);
  },
  '/studio/api/trash/templates/:id': async (owner) => {
    const id = await makeTrash(owner);
    return () => owner.delete(`/studio/api/trash/templates/${id}`);
  },
};

/** The other requests that delete or revoke something, or that sign a person in or out. */
const OTHERS: Record<string, Prepare> = {
  'moving a template to the trash': async (owner) => {
    const id = await makeTemplate(owner);
    return () => owner.post(`/studio/api/trash/templates/${id}`);
  },
  'deleting an item of a batch': async (owner) => {
    const id = await makeBatch(owner);
    return () => owner.delete(`/v1/generations/${id}`);
  },
  'revoking keys': async (owner) => {
    const id = await makeKey(owner);
    return () => owner.post('/studio/api/keys/revoke', { ids: [id] });
  },
  'replacing the webhook secret': async () => {
    const owner = await newOwner();
    return () => owner.post('/studio/api/webhook-secret/rotate');
  },
  'reading the first webhook secret': async () => {
    const owner = await newOwner();
    return () => owner.get('/studio/api/webhook-secret');
  },
  'erasing an account with data of every kind': async () => {
    const owner = await newOwner();
    await makeTemplate(owner);
    await makeTrash(owner);
    await makeFile(owner);
    await makeGeneration(owner);
    await makeBatch(owner);
    await makeCertificate(owner);
    await makeEarlierAsset(owner);
    await makePasskey(owner);
    return () => owner.post('/studio/api/account/delete', { email: owner.email, password: PASSWORD });
  },
  'signing in from a new network': async (owner) => () => owner.another(atLocalhost()).signIn(),
  'signing in on a known device': async () => {
    const owner = await newOwner();
    await made(owner.post('/studio/api/sign-out'));
    return () => owner.signIn();
  },
  'signing in with a passkey': async (owner) => {
    const { authenticator } = await makePasskey(owner);
    const browser = new Browser(service(), atLocalhost());
    return async () => {
      const { ceremony, options } = await made(browser.post('/studio/api/passkeys/sign-in-options'));
      return browser.post('/studio/api/passkeys/sign-in', {
        ceremony,
        response: authenticator.signIn(options),
      });
    };
  },
  'signing in with a link and a password': async () => {
    const token = await makeLink();
    const browser = new Browser(service(), atLocalhost());
    return () => browser.post('/studio/api/link/claim', { token, password: PASSWORD });
  },
  'signing in with a link and a passkey': async () => {
    const token = await makeLink();
    const browser = new Browser(service(), atLocalhost());
    const authenticator = new Authenticator(atLocalhost().origin);
    return async () => {
      const { ceremony, options } = await made(browser.post('/studio/api/link/passkey-options', { token }));
      const passkey = { ceremony, response: authenticator.register(options) };
      return browser.post('/studio/api/link/claim', { token, passkey });
    };
  },
  'making a link for a person who cannot sign in': async (owner) => {
    const operator = await Browser.signedIn(service(), 'operator');
    const { id } = (await owner.get('/studio/api/session')).body.account;
    return () => operator.post(`/studio/api/accounts/${id}/link`);
  },
  'confirming the identity': async (owner) => () =>
    owner.post('/studio/api/session/confirm', { password: PASSWORD }),
  'changing the password': async () => {
    const owner = await newOwner();
    const change = { current_password: PASSWORD, password: 'another long password' };
    return () => owner.put('/studio/api/password', change);
  },
  'accepting an invitation': async (owner) => {
    const invited = new Browser(service());
    const token = await owner.invite(invited.email, 'viewer');
    return () => invited.post('/studio/api/link/claim', { token, password: PASSWORD });
  },
  'signing out': async (owner) => {
    const { other } = await makeSession(owner);
    return () => other.post('/studio/api/sign-out');
  },
};

/** The requests of a session that free nothing, so that their audit entries must not use the reserve. */
const REFUSED: Record<string, Prepare> = {
  'creating a key': async (owner) => () => owner.post('/studio/api/keys', { name: 'k' }),
  'renaming a key': async (owner) => {
    const id = await makeKey(owner);
    return () => owner.put(`/studio/api/keys/${id}`, { name: 'b' });
  },
  'restoring a key': async (owner) => {
    const id = await makeKey(owner);
    await made(owner.delete(`/studio/api/keys/${id}`));
    return () => owner.post(`/studio/api/keys/${id}/restore`);
  },
  'renaming a passkey': async (owner) => {
    const { id } = await makePasskey(owner);
    return () => owner.put(`/studio/api/passkeys/${id}`, { name: 'b' });
  },
  'adding a passkey': async (owner) => {
    const authenticator = new Authenticator(atLocalhost().origin);
    const { ceremony, options } = await made(owner.post('/studio/api/passkeys/options'));
    const response = authenticator.register(options);
    return () => owner.post('/studio/api/passkeys', { ceremony, response, name: 'Laptop' });
  },
  'restoring a template': async (owner) => {
    const id = await makeTrash(owner);
    return () => owner.post(`/studio/api/trash/templates/${id}/restore`);
  },
  'creating an account': async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const account = { email: `${crypto.randomUUID()}@example.com`, plan: 'pro' };
    return () => operator.post('/studio/api/accounts', account);
  },
};

// MongoDB and S3 have no reserve.
describe.skipIf(onMongoAndS3)('on a full disk', () => {
  let owner: Browser;
  beforeAll(async () => {
    owner = await newOwner();
  });

  test.each([
    ...Object.entries(DELETIONS).map(([path, prepare]) => [`DELETE ${path}`, prepare] as const),
    ...Object.entries(OTHERS),
  ])('%s works', async (_, prepare) => {
    const run = await prepare(owner);
    const { status, body } = await onFullDisk(async () => {
      expect((await service().post('/v1/templates', draft)).status).toBe(503);
      return run();
    });
    expect({ isSuccess: status < 300, error: body?.error }).toEqual({ isSuccess: true, error: undefined });
  });

  test.each(Object.entries(REFUSED))('%s is refused, without an entry', async (_, prepare) => {
    const run = await prepare(owner);
    const store = await openStore(service());
    const entries = await store.collection(reservedEntriesSpec);
    const before = await entries.count();
    expect((await onFullDisk(run)).status).toBe(503);
    expect(await entries.count()).toBe(before);
    await store.close();
    expect((await run()).status).toBeLessThan(300);
  });

  test('a refused template leaves no mark in the reserve', async () => {
    const store = await openStore(service());
    const marks = await store.collection(orphanMarks);
    const before = await marks.count();
    expect((await onFullDisk(() => owner.post('/v1/templates', draft))).status).toBe(503);
    expect(await marks.count()).toBe(before);
    expect((await owner.post('/v1/templates', draft)).status).toBe(201);
    expect(await marks.count()).toBe(before + 1);
    await store.close();
  });

  test('every route with DELETE is in the list', () => {
    const paths = routes()
      .filter(({ method }) => method === 'delete')
      .map(({ path }) => path);
    expect(paths.toSorted()).toEqual(Object.keys(DELETIONS).toSorted());
  });
});
