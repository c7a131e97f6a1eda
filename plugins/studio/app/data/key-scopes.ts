/** The scopes of API keys, and what each permits. */
export const KEY_SCOPES: readonly (readonly [scope: string, permits: string])[] = [
  ['generate', 'Make PDFs and images'],
  ['generations', 'Read and delete generations'],
  ['templates:read', 'Read templates'],
  ['templates:write', 'Change templates'],
  ['marketplace', 'Copy and publish public templates'],
  ['files', 'Upload, read and delete files'],
  ['pdf', 'Work on PDFs'],
  ['batches', 'Make PDFs in batches'],
  ['assets', 'Manage assets'],
  ['certificates', 'Manage certificates'],
  ['webhooks', 'Read events, manage webhook endpoints, and send deliveries again'],
  ['usage', 'Read the usage'],
  ['ai', 'Draft templates with AI'],
  ['integrations', 'Automation platforms'],
  ['schedules', 'Manage schedules'],
  ['keys', 'Create and revoke API keys'],
  ['audit', 'Read the audit log'],
];

/** The scopes that a new key does not have by default. */
const NAMED_SCOPES = new Set(['keys', 'audit']);

/** The scopes of a key without limits. */
export const DEFAULT_KEY_SCOPES: readonly string[] = KEY_SCOPES.map(([scope]) => scope).filter(
  (scope) => !NAMED_SCOPES.has(scope),
);
