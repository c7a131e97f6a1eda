import { expect, test } from 'bun:test';
import { MEMBER_ROLES as SERVICE_ROLES } from '../../members/roles.ts';
import { may, MEMBER_ROLES } from './roles.ts';

test('the studio knows the roles of the service, in its order', () => {
  expect([...MEMBER_ROLES]).toEqual([...SERVICE_ROLES]);
});

test('a role has the permissions of all lesser roles, and an operator those of operators', () => {
  const session = {
    role: 'editor',
    person: { id: 'user_1', email: 'a@example.com', operator: true },
  } as const;
  const needed = [...MEMBER_ROLES, 'operator'] as const;
  expect(needed.filter((permission) => may(session, permission))).toEqual(['viewer', 'editor', 'operator']);
  const other = { ...session, person: { ...session.person, operator: false } };
  expect(needed.filter((permission) => may(other, permission))).toEqual(['viewer', 'editor']);
});
