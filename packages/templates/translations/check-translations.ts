import type { Result } from '../fault.ts';
import { MessageFault, parseMessage } from './message.ts';
import type { Translations } from './language.ts';
import { canonicalTag, MAX_TAG_LENGTH, MESSAGE_NAME } from './names.ts';

const MAX_LANGUAGES = 50;
const MAX_NAMES = 1_000;

/** A fault of translations. */
class Fault extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * Checks the translations of a template, the text of `{"de": {"total": "Summe"}}`: the language tags, the
 * names and the messages. Returns them as JSON text with canonical tags. `part` of a failure is the path of
 * the fault, such as `translations.de.total`.
 */
export function checkTranslations({ json }: { json: string }): Result<{ json: string }> {
  try {
    return { ok: true, value: { json: JSON.stringify(read(JSON.parse(json))) } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, code: 'INVALID_TRANSLATIONS', message: error.message, part: error.path };
  }
}

function read(value: unknown): Translations['messages'] {
  const languages = objectOf('translations', value);
  if (languages.length > MAX_LANGUAGES)
    throw new Fault('translations', `must have at most ${MAX_LANGUAGES} languages`);
  const found = new Map<string, string>();
  const canonical = languages.map(([given, texts]) => {
    const path = `translations.${given.slice(0, MAX_TAG_LENGTH)}`;
    const tag = canonicalTag(given);
    if (tag === undefined) throw new Fault(path, 'must be named by a language tag such as de or de-AT');
    const other = found.get(tag);
    if (other !== undefined) throw new Fault(path, `is the same language as ${other}`);
    found.set(tag, given);
    return [tag, readMessages(path, texts, tag)] as const;
  });
  return Object.fromEntries(canonical);
}

function readMessages(path: string, value: unknown, tag: string): Record<string, string> {
  const entries = objectOf(path, value);
  if (entries.length > MAX_NAMES) throw new Fault(path, `must have at most ${MAX_NAMES} messages`);
  const checked = entries.map(([name, text]) => {
    const place = `${path}.${name.slice(0, 100)}`;
    if (!MESSAGE_NAME.test(name))
      throw new Fault(place, 'must have a name of letters, digits, _, . and - that begins with a letter');
    if (typeof text !== 'string') throw new Fault(place, 'must be a string');
    try {
      parseMessage(text, tag);
    } catch (error) {
      throw error instanceof MessageFault ? new Fault(place, error.message) : error;
    }
    return [name, text] as const;
  });
  return Object.fromEntries(checked);
}

function objectOf(path: string, value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new Fault(path, 'must be an object');
}
