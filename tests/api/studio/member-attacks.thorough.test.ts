import { expect, test } from 'bun:test';
import { extendedService } from '../../support/service/shared-service.ts';
import { Authenticator } from '../../support/studio/authenticator.ts';
import { until } from '../../support/until.ts';
import { atFullCost } from '../../support/studio/password-cost.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const service = extendedService();
/** The password that an attacker chooses. */
const OTHER_PASSWORD = 'the password of an attacker';
const sessionOf = async (browser: Browser) => (await browser.get('/studio/api/session')).body;
const idOf = async (browser: Browser): Promise<string> => (await sessionOf(browser)).person.id;
const claim = (browser: Browser, token: string, password?: string) =>
  browser.post('/studio/api/link/claim', { token, ...(password !== undefined && { password }) });

test('an invitation never sets the password of a person who has registered in the meantime', async () => {
  const evil = await Browser.signedIn(service());
  const victim = new Browser(service());
  const own = await newLink(service(), { email: victim.email, role: 'operator' });
  const token = await evil.invite(victim.email, 'viewer');
  const attacker = new Browser(service(), {}, victim.email);
  const [first, second] = await atFullCost(() =>
    Promise.all([
      claim(victim, own, PASSWORD),
      Bun.sleep(30).then(() => claim(attacker, token, OTHER_PASSWORD)),
    ]),
  );
  expect([first, second].filter(({ status }) => status === 201)).toHaveLength(1);
  // If the attacker was faster, the person asks the operator for another link.
  const again = await newLink(service(), { email: victim.email, role: 'operator' });
  if (first.status !== 201) expect((await claim(victim, again, PASSWORD)).status).toBe(201);
  expect((await sessionOf(attacker)).signed_in).toBe(false);
  expect((await attacker.another().signIn(OTHER_PASSWORD)).status).toBe(401);
  expect((await victim.another().signIn()).status).toBe(200);
});

test('a request that began before the removal of its person has no effect after it', async () => {
  const owner = await Browser.signedIn(service());
  const admin = await Browser.member(owner, 'admin');
  const { hostname, port, origin } = new URL(service().url);
  const body = '{"name":"backdoor"}';
  let out = '';
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, data) => void (out += data.toString()), open() {}, close() {}, error() {} },
  });
  socket.write(
    `POST /studio/api/keys HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${origin}\r\nCookie: ${admin.cookie}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 3)}`,
  );
  // The service has read the head of the request when it has answered several others.
  const id = await idOf(admin);
  for (let count = 0; count < 20; count += 1) await owner.get('/studio/api/members');
  expect((await owner.delete(`/studio/api/members/${id}`)).status).toBe(204);
  socket.write(body.slice(3));
  await until(() => out.includes('\r\n\r\n'));
  expect(out).toStartWith('HTTP/1.1 401');
  socket.end();
});

test('a change of role does not bring a removed member back', async () => {
  for (let count = 0; count < 10; count += 1) {
    const owner = await Browser.signedIn(service());
    const person = await Browser.signedIn(service());
    await claim(person, await owner.invite(person.email, 'viewer'));
    const path = `/studio/api/members/${await idOf(person)}`;
    const [removed] = await Promise.all([owner.delete(path), owner.patch(path, { role: 'admin' })]);
    expect(removed.status).toBe(204);
    expect((await owner.get('/studio/api/members')).body.data).toHaveLength(1);
  }
});

test('an admin cannot take the role of an owner, not even in a race', async () => {
  for (let count = 0; count < 10; count += 1) {
    const owner = await Browser.signedIn(service());
    const admin = await Browser.member(owner, 'admin');
    const path = `/studio/api/members/${await idOf(await Browser.member(owner, 'editor'))}`;
    const [up] = await Promise.all([
      owner.patch(path, { role: 'owner' }),
      admin.patch(path, { role: 'viewer' }),
    ]);
    const roles = (await owner.get('/studio/api/members')).body.data.map(
      ({ role }: { role: string }) => role,
    );
    expect([up.status, roles]).toEqual([200, ['owner', 'admin', 'owner']]);
  }
});

test('a person who lost all accounts at once can be invited again', async () => {
  for (let count = 0; count < 20; count += 1) {
    const a = await Browser.signedIn(service());
    const b = await Browser.signedIn(service());
    const member = await Browser.member(a, 'viewer');
    await claim(member, await b.invite(member.email, 'viewer'));
    const path = `/studio/api/members/${await idOf(member)}`;
    await Promise.all([a.delete(path), b.delete(path)]);
    expect((await claim(member.another(), await a.invite(member.email, 'viewer'), PASSWORD)).status).toBe(
      201,
    );
  }
});

test('a person whom a crash left without an account can be invited again', async () => {
  const owner = await Browser.signedIn(service());
  const member = await Browser.member(owner, 'viewer');
  const [id, accountId] = [await idOf(member), (await sessionOf(owner)).account.id];
  await withCollection(service(), 'teams', async (teams) => {
    const team = await teams.get(accountId);
    const members = (team?.members ?? []).filter(({ userId }) => userId !== id);
    await teams.update({ id: accountId }, { members, revision: (team?.revision ?? 0) + 1 });
  });
  const token = await owner.invite(member.email, 'viewer');
  expect((await claim(member.another(), token, PASSWORD)).status).toBe(201);
});

test('the deletion of an account keeps operators who are its members', async () => {
  const owner = await Browser.signedIn(service());
  const operator = await Browser.member(owner, 'viewer');
  const id = await idOf(operator);
  await withCollection(service(), 'users', (users) => users.update({ id }, { role: 'operator' }));
  const deletion = { email: owner.email, password: PASSWORD };
  expect((await owner.post('/studio/api/account/delete', deletion)).status).toBe(409);
  expect(await withCollection(service(), 'users', (users) => users.get(id))).not.toBeNull();
});

test('an operator cannot take over another operator with an account of the same address', async () => {
  const operator = await Browser.signedIn(service(), 'operator');
  const other = await Browser.member(await Browser.signedIn(service()), 'viewer');
  const id = await idOf(other);
  await withCollection(service(), 'users', (users) => users.update({ id }, { role: 'operator' }));
  const { status, body } = await operator.post('/studio/api/accounts', { email: other.email });
  expect(status).toBe(201);
  expect((await operator.post(`/studio/api/accounts/${body.id}/link`)).status).toBe(409);
});

test('the export of an account has no sessions of a person who left it', async () => {
  const other = await Browser.signedIn(service());
  const first = await Browser.signedIn(service());
  const owner = await Browser.member(first, 'owner');
  await claim(first, await other.invite(first.email, 'viewer'));
  await first.post('/studio/api/session/account', { account_id: (await sessionOf(owner)).account.id });
  await first.delete(`/studio/api/members/${await idOf(first)}`);
  await first.another().signIn();
  const { data } = (await owner.get('/studio/api/account/data')).body;
  const sessions = data.find(({ name }: { name: string }) => name === 'studio-sessions');
  expect(sessions.count).toBe(0);
});

test('an invitation shows neither the passkeys nor the id of a person', async () => {
  const evil = await Browser.signedIn(service());
  const victim = await Browser.signedIn(service());
  const accountId = await idOf(victim);
  await withCollection(service(), 'passkeys', (passkeys) =>
    passkeys.insert({
      id: `pk_${crypto.randomUUID()}`,
      accountId,
      credentialId: 'SECRET',
      publicKey: 'x',
      counter: 0,
      name: 'n',
      createdAt: 1,
      lastUsedAt: null,
    }),
  );
  const token = await evil.invite(victim.email, 'viewer');
  const local = new URL(service().url);
  local.hostname = 'localhost';
  const browser = new Browser(service(), { origin: local.origin, host: local.host });
  const { status, body } = await browser.post('/studio/api/link/passkey-options', { token });
  expect([status, body.error.details[0].code]).toEqual([403, 'SIGN_IN_REQUIRED']);
});

test('a removed member cannot return with a second invitation of the same address', async () => {
  const owner = await Browser.signedIn(service());
  const member = new Browser(service());
  const [first, second] = await Promise.all([
    owner.invite(member.email, 'admin'),
    owner.invite(member.email, 'viewer'),
  ]);
  const open = [await claim(member, second ?? '', PASSWORD), await claim(member, first ?? '', PASSWORD)];
  const used = open.find(({ status }) => status === 201);
  expect(used).toBeDefined();
  await owner.delete(`/studio/api/members/${await idOf(member)}`);
  for (const token of [first, second])
    expect((await claim(member.another(), token ?? '', PASSWORD)).status).toBe(404);
});

test('a claim that failed leaves no passkey', async () => {
  const owner = await Browser.signedIn(service());
  const [accountId, userId] = [(await sessionOf(owner)).account.id, await idOf(owner)];
  const local = new URL(service().url);
  local.hostname = 'localhost';
  const victim = new Browser(service());
  const token = await owner.invite(victim.email, 'admin');
  const fill = (count: number) =>
    withCollection(service(), 'teams', async (teams) => {
      const members = [
        { userId, role: 'owner' as const, joinedAt: 1 },
        ...Array.from({ length: count }, (_, index) => ({
          userId: `user_${index}`,
          role: 'viewer' as const,
          joinedAt: 1,
        })),
      ];
      const known = await teams.get(accountId);
      if (known) await teams.update({ id: accountId }, { members, revision: known.revision + 1 });
      else await teams.insert({ id: accountId, members, revision: 1 });
    });
  await fill(99);
  const thief = new Browser(service(), { origin: local.origin, host: local.host });
  const options = (await thief.post('/studio/api/link/passkey-options', { token })).body;
  const authenticator = new Authenticator(local.origin);
  const passkey = { ceremony: options.ceremony, response: authenticator.register(options.options) };
  expect((await thief.post('/studio/api/link/claim', { token, passkey })).status).toBe(409);
  await fill(1);
  expect((await claim(victim, token, PASSWORD)).status).toBe(201);
  const start = (await thief.post('/studio/api/passkeys/sign-in-options')).body;
  const response = authenticator.signIn(start.options);
  expect(
    (await thief.post('/studio/api/passkeys/sign-in', { ceremony: start.ceremony, response })).status,
  ).toBe(401);
});
