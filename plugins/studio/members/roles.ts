import { AppError, type SCOPES } from '../../../src/plugin.ts';

/** The roles of the members of an account, from the fewest permissions to the most. */
export const MEMBER_ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

/** A role of the members of an account. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

type Scope = (typeof SCOPES)[number];

/** The least roles that may read and write with each scope of API keys. */
const LEAST_ROLES: Readonly<Record<Scope, { read: MemberRole; write: MemberRole }>> = {
  generate: { read: 'viewer', write: 'editor' },
  generations: { read: 'viewer', write: 'editor' },
  'templates:read': { read: 'viewer', write: 'editor' },
  'templates:write': { read: 'editor', write: 'editor' },
  marketplace: { read: 'viewer', write: 'editor' },
  files: { read: 'viewer', write: 'editor' },
  pdf: { read: 'viewer', write: 'editor' },
  batches: { read: 'viewer', write: 'editor' },
  assets: { read: 'viewer', write: 'editor' },
  certificates: { read: 'editor', write: 'admin' },
  webhooks: { read: 'admin', write: 'admin' },
  usage: { read: 'viewer', write: 'admin' },
  ai: { read: 'viewer', write: 'editor' },
  integrations: { read: 'admin', write: 'admin' },
  schedules: { read: 'viewer', write: 'editor' },
  keys: { read: 'admin', write: 'admin' },
  audit: { read: 'admin', write: 'admin' },
};

/** Tells whether a role has all permissions of another. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least);
}

/** Returns the role with fewer permissions. */
export function lesserRole(one: MemberRole, other: MemberRole): MemberRole {
  return isAtLeast(one, other) ? other : one;
}

/**
 * Rejects a member whose role lacks the permission that a route needs: a scope of API keys, or
 * `session:<least role>`. Routes with GET only read.
 * @throws {AppError} FORBIDDEN with the least role
 */
export function requireRole(
  { role, isOperator }: { role: MemberRole; isOperator: boolean },
  scope: string,
  { isReading }: { isReading: boolean },
): void {
  if (scope === 'session:operator') {
    if (!isOperator) throw new AppError('FORBIDDEN', 'only operators may do this');
    return;
  }
  const least = leastRole(scope, isReading);
  // A permission that this module does not know is refused.
  if (least !== undefined && isAtLeast(role, least)) return;
  const message = `needs the role "${least}"; your role in this account is "${role}"`;
  throw new AppError('FORBIDDEN', `this ${message}`, {
    details: [{ path: '', code: 'MISSING_ROLE', message }],
  });
}

function leastRole(scope: string, isReading: boolean): MemberRole | undefined {
  if (scope.startsWith('session:')) return MEMBER_ROLES.find((role) => scope === `session:${role}`);
  return Object.hasOwn(LEAST_ROLES, scope)
    ? LEAST_ROLES[scope as Scope][isReading ? 'read' : 'write']
    : undefined;
}
