import { invalid } from '../../src/plugin.ts';
import { MAX_ASSET_NAME_CHARACTERS } from './asset-size.ts';

/** Characters that end a name in a URL or a path, or that need an escape there. */
const RESERVED = /[\\/?#%<>"|*:]/;

/**
 * Checks the name of an asset, and normalizes it to NFC, so that a name from macOS matches the same name
 * typed elsewhere.
 * @throws {AppError} VALIDATION_ERROR for `name`
 */
export function requireName(name: string): string {
  const normal = name.normalize('NFC');
  if (normal.length === 0 || normal.length > MAX_ASSET_NAME_CHARACTERS)
    throw invalid('name', `must have 1 to ${MAX_ASSET_NAME_CHARACTERS} characters`);
  if (!normal.isWellFormed())
    throw invalid('name', 'must be well-formed Unicode; it contains an unpaired surrogate');
  if (/\p{Cc}/u.test(normal)) throw invalid('name', 'must not contain control characters');
  const [reserved] = RESERVED.exec(normal) ?? [];
  if (reserved !== undefined)
    throw invalid('name', `must be a plain file name: ${JSON.stringify(reserved)} is not allowed`);
  if (normal.startsWith('.') || normal.trim() !== normal)
    throw invalid('name', 'must not begin with a dot, and must not begin or end with a space');
  return normal;
}
