/**
 * Constants and fields of stored templates that several plugins use.
 * @module
 */
import { Type } from '../../src/plugin.ts';

/** The categories of templates, of the marketplace and of starters. */
export const CATEGORIES = [
  'invoice',
  'receipt',
  'report',
  'certificate',
  'letter',
  'resume',
  'other',
] as const;

/** One of {@link CATEGORIES}. */
export type Category = (typeof CATEGORIES)[number];

/** The largest template in UTF-16 code units. */
export const MAX_TEMPLATE_CHARACTERS = 2_000_000;

/** Returns the schema of a field that chooses a version of a stored template. */
export function versionChoice(description: string) {
  return Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('draft')], {
    title: 'VersionChoice',
    description,
  });
}
