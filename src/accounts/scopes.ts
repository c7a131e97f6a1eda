/** The scopes of API keys. A scope permits the routes that name it. */
export const SCOPES = [
  'generate',
  'generations',
  'templates:read',
  'templates:write',
  'marketplace',
  'files',
  'pdf',
  'batches',
  'assets',
  'certificates',
  'webhooks',
  'usage',
  'ai',
  'integrations',
  'schedules',
  'keys',
  'audit',
] as const;

/** A scope of API keys. */
export type Scope = (typeof SCOPES)[number];

/** The scopes that a key has only if its creator names them. */
const NAMED_SCOPES: readonly Scope[] = ['keys', 'audit'];

/** The scopes of a key whose creator names none. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NAMED_SCOPES.includes(scope));

/** Returns the scopes that a stored key has. `null` and absence stand for {@link DEFAULT_SCOPES}. */
export function scopesOf({ scopes }: { scopes?: readonly Scope[] | null | undefined }): readonly Scope[] {
  return scopes ?? DEFAULT_SCOPES;
}
