import { createHash } from 'node:crypto';
import { AppError } from '../../src/plugin.ts';
import type { Template } from './contract.ts';
import { versionFieldsOf } from './versions.ts';

/**
 * Returns the entity tag of a template, or of a draft: a text that changes whenever an author's change takes
 * effect. The number of the version stands for the content, because no number is used twice.
 */
export function etagOf(template: Template): string {
  const { name, category, isPartial, alias = null, tags = [], version } = template;
  const requiresChecks = template.requireChecks ?? false;
  const { translationsJson, ...own } = versionFieldsOf(template);
  const fields = [version, name, category, isPartial, alias, tags, requiresChecks, own];
  if (translationsJson !== null) fields.push(translationsJson);
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22);
}

/**
 * Rejects a change of another state than the caller has read.
 * @throws {AppError} CONFLICT
 */
export function requireEtag(template: Template, expected: string | undefined): void {
  if (expected === undefined || etagOf(template) === expected) return;
  throw new AppError(
    'CONFLICT',
    `the template has changed since it was read; it is now version ${template.version}: read it again, and repeat the change with its etag`,
  );
}
