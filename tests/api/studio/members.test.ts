import { describe, expect, test } from 'bun:test';
import type { MemberRole } from '../../../plugins/studio/members/roles.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';
import { platen } from '../../support/service/process.ts';

const service = extendedService();

interface ListedMember {
  id: string;
  email: string;
  role: string;
  you: boolean;
}

/** The part of an audit entry that these tests read. */
interface Entry {
  action: string;
  actor: { name: string };
}

const sessionOf = async (browser: Browser) => (await browser.get('/studio/api/session')).body;
const membersOf = async (browser: Browser): Promise<ListedMember[]> =>
  (await browser.get('/studio/api/members')).body.data;
const idOf = async (browser: Browser): Promise<string> => (await sessionOf(browser)).person.id;
const errorOf = ({ status, body }: ApiResponse) => [status, body.error.details[0]?.code];

/** Returns an owner, and a member of the account with each of the given roles. */
async function team<const Roles extends readonly MemberRole[]>(
  ...roles: Roles
): Promise<[Browser, ...{ [Index in keyof Roles]: Browser }]> {
  const owner = await Browser.signedIn(service());
  const members = await Promise.all(roles.map((role) => Browser.member(owner, role)));
  return [owner, ...members] as never;
}

describe('an invitation', () => {
  test('makes a new person a member of the account, with a password of their own', async () => {
    const owner = await Browser.signedIn(service());
    const invited = new Browser(service());
    const { status, body } = await owner.post('/studio/api/members/invitations', {
      email: invited.email.toUpperCase(),
      role: 'editor',
    });
    expect([status, Object.keys(body)]).toEqual([201, ['id', 'url', 'expires_at']]);
    const listed = (await owner.get('/studio/api/members/invitations')).body.data;
    expect(listed).toEqual([
      {
        id: body.id,
        email: invited.email,
        role: 'editor',
        created_at: expect.any(String),
        expires_at: body.expires_at,
      },
    ]);
    const token = body.url.split('/').at(-1);
    expect((await invited.post('/studio/api/link', { token })).body).toEqual({
      email: invited.email,
      role: 'owner',
      expires_at: body.expires_at,
      existing: false,
      invitation: { account: owner.email, role: 'editor', invited_by: owner.email },
    });
    const claimed = await invited.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect([claimed.status, claimed.body.role, claimed.body.account.email]).toEqual([
      201,
      'editor',
      owner.email,
    ]);
    expect(claimed.body.person).toEqual({
      id: expect.stringMatching(/^user_/),
      email: invited.email,
      operator: false,
    });
    expect((await owner.get('/studio/api/members/invitations')).body.data).toEqual([]);
    expect((await membersOf(owner)).map(({ email, role, you }) => [email, role, you])).toEqual([
      [owner.email, 'owner', true],
      [invited.email, 'editor', false],
    ]);
    expect(
      (await invited.another().post('/studio/api/link/claim', { token, password: PASSWORD })).status,
    ).toBe(404);

    const again = invited.another();
    expect((await again.signIn()).body.account.email).toBe(owner.email);
    const template = { name: 'Invoice', html_content: '<p>x' };
    const { id } = (await again.post('/v1/templates', template)).body;
    expect((await owner.get(`/v1/templates/${id}`)).body.name).toBe('Invoice');
    const { data } = (await owner.get('/v1/audit?action=template.created')).body;
    expect(data[0].actor).toEqual({ type: 'member', id: claimed.body.person.id, name: invited.email });
    const joined = (await owner.get('/v1/audit?action=member.*')).body.data;
    expect(joined.map(({ action, actor }: Entry) => [action, actor.name])).toEqual([
      ['member.joined', invited.email],
      ['member.invited', owner.email],
    ]);
  });

  test('of a person who signs in already needs the session of this person', async () => {
    const [company, member] = await team('viewer');
    const person = await Browser.signedIn(service());
    const token = await company.invite(person.email, 'viewer');
    expect((await company.another().post('/studio/api/link', { token })).body.existing).toBe(true);
    for (const other of [company.another(), member, company]) {
      expect(errorOf(await other.post('/studio/api/link/claim', { token }))).toEqual([
        403,
        'SIGN_IN_REQUIRED',
      ]);
      const hijack = await other.post('/studio/api/link/claim', { token, password: 'a new long password' });
      expect(hijack.status).toBe(400);
    }
    const accepted = await person.post('/studio/api/link/claim', { token });
    expect([accepted.status, accepted.body.account.email, accepted.body.role]).toEqual([
      201,
      company.email,
      'viewer',
    ]);
    expect(accepted.body.accounts.map(({ email, role }: ListedMember) => [email, role])).toEqual([
      [person.email, 'owner'],
      [company.email, 'viewer'],
    ]);
    expect((await person.another().signIn()).body.account.email).toBe(company.email);

    const [own] = accepted.body.accounts;
    const entered = await person.post('/studio/api/session/account', { account_id: own.id });
    expect([entered.status, entered.body.account.email, entered.body.role]).toEqual([
      200,
      person.email,
      'owner',
    ]);
    expect((await sessionOf(person)).account.id).toBe(own.id);
    const foreign = (await sessionOf(await Browser.signedIn(service()))).account.id;
    expect((await person.post('/studio/api/session/account', { account_id: foreign })).status).toBe(404);
  });

  test('ends when it is revoked or replaced, and when the inviter may no longer invite', async () => {
    const [owner, admin] = await team('admin');
    const open = async (token: string) =>
      (await new Browser(service()).post('/studio/api/link', { token })).status;
    const email = `${crypto.randomUUID()}@example.com`;
    const first = await admin.invite(email, 'editor');
    const second = await admin.invite(email, 'admin');
    expect([await open(first), await open(second)]).toEqual([404, 200]);
    const [invitation] = (await owner.get('/studio/api/members/invitations')).body.data;
    expect(invitation.role).toBe('admin');
    await owner.patch(`/studio/api/members/${await idOf(admin)}`, { role: 'editor' });
    expect(await open(second)).toBe(404);
    expect(
      (await new Browser(service()).post('/studio/api/link/claim', { token: second, password: PASSWORD }))
        .status,
    ).toBe(404);
    await owner.patch(`/studio/api/members/${await idOf(admin)}`, { role: 'admin' });
    expect(await open(second)).toBe(200);
    expect((await owner.delete(`/studio/api/members/invitations/${invitation.id}`)).status).toBe(204);
    expect((await owner.delete(`/studio/api/members/invitations/${invitation.id}`)).status).toBe(404);
    expect(await open(second)).toBe(404);
  });

  test('is not redeemed or ended by a sign-in link, nor the reverse', async () => {
    const owner = await Browser.signedIn(service());
    const token = await owner.invite(`${crypto.randomUUID()}@example.com`, 'viewer');
    const link = await newLink(service(), { email: owner.email });
    const invited = new Browser(service());
    expect((await invited.post('/studio/api/link', { token: link })).status).toBe(200);
    const claimed = await owner.another().post('/studio/api/link/claim', { token: link, password: PASSWORD });
    expect(claimed.status).toBe(201);
    expect((await invited.post('/studio/api/link', { token })).status).toBe(200);
    const unused = await newLink(service(), { email: owner.email });
    expect((await invited.post('/studio/api/link/claim', { token, password: PASSWORD })).status).toBe(201);
    expect((await owner.another().post('/studio/api/link', { token: unused })).status).toBe(200);
  });

  test.each([
    ['email', { email: 'ann', role: 'viewer' }],
    ['role', { email: 'ann@example.com', role: 'operator' }],
    ['role', { email: 'ann@example.com' }],
  ])('with a wrong %s gets 400', async (path, body) => {
    const owner = await Browser.signedIn(service());
    const answer = await owner.post('/studio/api/members/invitations', body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  test('of a member gets 409', async () => {
    const [owner, member] = await team('viewer');
    const again = { email: member.email, role: 'editor' };
    expect((await owner.post('/studio/api/members/invitations', again)).status).toBe(409);
  });

  test('that dies between its writes is completed by the next attempt', async () => {
    const owner = await Browser.signedIn(service());
    const invited = new Browser(service());
    const token = await owner.invite(invited.email, 'editor');
    const accountId = (await sessionOf(owner)).account.id;
    const claim = () => invited.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect((await claim()).status).toBe(201);
    // The state before the last writes: no sign-in, and a link that is not used.
    await withCollection(service(), 'users', (users) => users.delete({ email: invited.email }));
    expect(await membersOf(owner)).toHaveLength(1);
    await withCollection(service(), 'links', async (links) => {
      await links.update({ accountId, invited: invited.email }, { usedAt: null, claimedUntil: 0 });
    });
    expect((await claim()).status).toBe(201);
    expect((await membersOf(owner)).map(({ email }) => email)).toEqual([owner.email, invited.email]);
  });
});

describe('a role', () => {
  test('changes at once in the sessions of the member', async () => {
    const [owner, member] = await team('viewer');
    const template = { name: 'T', html_content: '<p>x' };
    expect(errorOf(await member.post('/v1/templates', template))).toEqual([403, 'MISSING_ROLE']);
    const changed = await owner.patch(`/studio/api/members/${await idOf(member)}`, { role: 'editor' });
    expect([changed.status, changed.body.role]).toEqual([200, 'editor']);
    expect((await member.post('/v1/templates', template)).status).toBe(201);
    expect((await sessionOf(member)).role).toBe('editor');
  });

  test('of an owner is given and taken by owners only', async () => {
    const [owner, admin, editor] = await team('admin', 'editor');
    const [ownerId, adminId, editorId] = [await idOf(owner), await idOf(admin), await idOf(editor)];
    const attempts = [
      () => admin.patch(`/studio/api/members/${adminId}`, { role: 'owner' }),
      () => admin.patch(`/studio/api/members/${editorId}`, { role: 'owner' }),
      () => admin.patch(`/studio/api/members/${ownerId}`, { role: 'viewer' }),
      () => admin.delete(`/studio/api/members/${ownerId}`),
      () => admin.post('/studio/api/members/invitations', { email: 'x@example.com', role: 'owner' }),
      () => editor.patch(`/studio/api/members/${editorId}`, { role: 'admin' }),
      () => editor.delete(`/studio/api/members/${adminId}`),
      () => editor.post('/studio/api/members/invitations', { email: 'x@example.com', role: 'viewer' }),
    ];
    for (const attempt of attempts) expect(errorOf(await attempt())).toEqual([403, 'MISSING_ROLE']);
    expect((await admin.patch(`/studio/api/members/${editorId}`, { role: 'admin' })).status).toBe(200);
    expect((await owner.patch(`/studio/api/members/${adminId}`, { role: 'owner' })).status).toBe(200);
    expect((await admin.patch(`/studio/api/members/${ownerId}`, { role: 'viewer' })).status).toBe(200);
    expect((await sessionOf(owner)).role).toBe('viewer');
  });

  test('of the last owner is kept, even if two owners give up theirs at the same time', async () => {
    const [owner, second] = await team('owner');
    const ids = [await idOf(owner), await idOf(second)];
    const answers = await Promise.all([
      owner.patch(`/studio/api/members/${ids[0]}`, { role: 'viewer' }),
      second.delete(`/studio/api/members/${ids[1]}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      Math.min(...answers.map(({ status }) => status)),
      409,
    ]);
    const owners = await withCollection(service(), 'teams', async (teams) => {
      const [found] = (await teams.find()).filter(({ id }) => id === ids[0]);
      return found?.members.filter(({ role }) => role === 'owner').length;
    });
    expect(owners).toBe(1);
  });

  test('of an unknown or foreign member gets 404, and an unknown role 400', async () => {
    const owner = await Browser.signedIn(service());
    const foreign = await idOf(await Browser.signedIn(service()));
    for (const id of ['user_x', foreign]) {
      expect((await owner.patch(`/studio/api/members/${id}`, { role: 'viewer' })).status).toBe(404);
      expect((await owner.delete(`/studio/api/members/${id}`)).status).toBe(404);
    }
    const wrong = await owner.patch(`/studio/api/members/${await idOf(owner)}`, { role: 'king' });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'role']);
  });
});

describe('a member who is removed', () => {
  test('loses the sessions in this account and, without another account, the sign-in', async () => {
    const [owner, member] = await team('editor');
    const id = await idOf(member);
    expect((await owner.delete(`/studio/api/members/${id}`)).status).toBe(204);
    expect((await member.get('/v1/templates')).status).toBe(401);
    expect((await sessionOf(member)).signed_in).toBe(false);
    expect((await member.another().signIn()).status).toBe(401);
    expect((await membersOf(owner)).map(({ email }) => email)).toEqual([owner.email]);
    // The address can be invited again, and earlier sessions stay closed.
    const stolen = member.another();
    stolen.cookie = member.cookie;
    const token = await owner.invite(member.email, 'viewer');
    const claimed = await member.another().post('/studio/api/link/claim', { token, password: PASSWORD });
    expect([claimed.status, claimed.body.role]).toEqual([201, 'viewer']);
    expect((await sessionOf(stolen)).signed_in).toBe(false);
  });

  test('keeps the own account', async () => {
    const company = await Browser.signedIn(service());
    const person = await Browser.signedIn(service());
    await person.post('/studio/api/link/claim', { token: await company.invite(person.email, 'admin') });
    const id = await idOf(person);
    expect((await company.delete(`/studio/api/members/${id}`)).status).toBe(204);
    expect((await sessionOf(person)).signed_in).toBe(false);
    expect((await person.another().signIn()).body.account.email).toBe(person.email);
  });

  test('may leave, whatever the role', async () => {
    const [owner, viewer] = await team('viewer');
    expect((await viewer.delete(`/studio/api/members/${await idOf(viewer)}`)).status).toBe(204);
    const { data } = (await owner.get('/v1/audit?action=member.left')).body;
    expect(data.map(({ actor }: Entry) => actor.name)).toEqual([viewer.email]);
  });

  test('who is an operator must stay in an account', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    await Browser.member(operator, 'owner');
    const refused = await operator.delete(`/studio/api/members/${await idOf(operator)}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'an operator must remain a member of at least one account',
    ]);
  });
});

describe('the ownership of an account', () => {
  test('passes to another member, and a sign-in link for the account brings the first person back', async () => {
    const [first, second] = await team('admin');
    await first.patch(`/studio/api/members/${await idOf(second)}`, { role: 'owner' });
    expect((await first.delete(`/studio/api/members/${await idOf(first)}`)).status).toBe(204);
    expect((await membersOf(second)).map(({ email, role }) => [email, role])).toEqual([
      [second.email, 'owner'],
    ]);
    expect((await first.another().signIn()).status).toBe(401);
    const token = await newLink(service(), { email: first.email });
    const back = await first.another().post('/studio/api/link/claim', { token, password: PASSWORD });
    expect([back.status, back.body.role]).toEqual([201, 'owner']);
    expect(await membersOf(second)).toHaveLength(2);
  });

  test('allows the deletion of the account, after which its members keep their other accounts', async () => {
    const [company, editor] = await team('editor');
    const person = await Browser.signedIn(service());
    await person.post('/studio/api/link/claim', { token: await company.invite(person.email, 'owner') });
    const deletion = { email: company.email, password: PASSWORD };
    expect(errorOf(await editor.post('/studio/api/account/delete', deletion))).toEqual([403, 'MISSING_ROLE']);
    expect((await person.post('/studio/api/account/delete', deletion)).status).toBe(204);
    expect((await editor.another().signIn()).status).toBe(401);
    expect((await person.another().signIn()).body.account.email).toBe(person.email);
  });

  test('of an account whose first person works elsewhere leaves this person their sign-in', async () => {
    const company = await Browser.signedIn(service());
    const person = await Browser.signedIn(service());
    await person.post('/studio/api/link/claim', { token: await company.invite(person.email, 'editor') });
    const own = (await sessionOf(person)).accounts[0];
    await person.post('/studio/api/session/account', { account_id: own.id });
    const deletion = { email: person.email, password: PASSWORD };
    expect((await person.post('/studio/api/account/delete', deletion)).status).toBe(204);
    const signedIn = await person.another().signIn();
    expect([signedIn.status, signedIn.body.account.email, signedIn.body.role]).toEqual([
      200,
      company.email,
      'editor',
    ]);
    expect(signedIn.body.accounts).toHaveLength(1);
  });
});

test('platen studio link replaces the sign-in of a member', async () => {
  const [owner, member] = await team('editor');
  const { env, dataDir } = service();
  const made = await platen(['studio', 'link', '--email', member.email], { ...env, DATA_DIR: dataDir });
  expect(made.stderr).toBe('');
  const token = made.stdout.trim().split('/').at(-1);
  const browser = member.another();
  const claimed = await browser.post('/studio/api/link/claim', { token, password: 'another long password' });
  expect([claimed.status, claimed.body.role, claimed.body.account.email]).toEqual([
    201,
    'editor',
    owner.email,
  ]);
  expect((await sessionOf(member)).signed_in).toBe(false);
  expect((await member.another().signIn('another long password')).status).toBe(200);
});
