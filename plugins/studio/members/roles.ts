import { AppError, type SCOPES } from '../../../src/plugin.ts';

/** The roles of the members of an account, from the fewest permissions to the most. */
export const MEMBER_ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

/** A role of the members of an account. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

type Scope = (typeof SCOPES)[number];

/** The lowest roles that may read and write with each scope of API keys. */
const LOWEST_ROLES: Readonly<Record<Scope, { read: MemberRole; write: MemberRole }>> = {
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
export function lowerRole(one: MemberRole, other: MemberRole): MemberRole {
  return isAtLeast(one, other) ? other : one;
}

/** A person whose role the identity provider may limit. */
interface Limited {
  role: 'owner' | 'operator';
  highestRole?: MemberRole | null;
}

/** Tells whether a person manages all accounts, unless the identity provider limits their role. */
export function isOperator({ role, highestRole }: Limited): boolean {
  return role === 'operator' && (highestRole ?? 'owner') === 'owner';
}

/**
 * Rejects a member whose role lacks the permission that a route needs: a scope of API keys, or
 * `session:<lowest role>`. Routes with GET only read.
 * @throws {AppError} FORBIDDEN with the lowest role
 */
export function requirePermission(
  { role, user }: { role: MemberRole; user: Limited },
  scope: string,
  { isReading }: { isReading: boolean },
): void {
  if (scope === 'session:operator') {
    if (!isOperator(user)) throw new AppError('FORBIDDEN', 'only operators may do this');
    return;
  }
  // A permission that this module does not know is refused.
  requireRole(role, lowestRole(scope, isReading));
}

/** @throws {AppError} FORBIDDEN with the lowest role; `undefined` is above all roles */
export function requireRole(role: MemberRole, lowest: MemberRole | undefined): void {
  if (lowest !== undefined && isAtLeast(role, lowest)) return;
  const message = `needs the role "${lowest}"; your role in this account is "${role}"`;
  throw new AppError('FORBIDDEN', `this ${message}`, {
    details: [{ path: '', code: 'MISSING_ROLE', message }],
  });
}

function lowestRole(scope: string, isReading: boolean): MemberRole | undefined {
  if (scope.startsWith('session:')) return MEMBER_ROLES.find((role) => scope === `session:${role}`);
  if (!Object.hasOwn(LOWEST_ROLES, scope)) return undefined;
  return LOWEST_ROLES[scope as Scope][isReading ? 'read' : 'write'];
}
