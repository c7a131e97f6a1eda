import type { Scope } from '../accounts/scopes.ts';

/**
 * The permissions of the routes of the studio, which accept only its sessions: the lowest role of a member,
 * or `operator` for the people who manage all accounts.
 */
export const SESSION_SCOPES = [
  'session:viewer',
  'session:editor',
  'session:admin',
  'session:owner',
  'session:operator',
] as const;

/** The permission of a route of the studio. */
export type SessionScope = (typeof SESSION_SCOPES)[number];

/**
 * The permission that a route needs: a scope of API keys, or the lowest role of a session such as
 * `session:admin` for a route of the studio that accepts only its sessions, or `any` for a route whose
 * handler checks the scopes that its body needs, or `public` for a route without authentication.
 */
export type RouteScope = Scope | SessionScope | 'any' | 'public';
