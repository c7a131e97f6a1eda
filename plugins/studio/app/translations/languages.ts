const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** The languages of the built-in labels. */
export const LABEL_LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'he', 'ja'];
const USES_LABELS = /[{(~]\s*(?:labelOf|labelLanguage|labelDirection|cssPageText)\s/;

/** Returns the English name of a language, such as `Austrian German`, or its tag if it has none. */
export function nameOfLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/**
 * Lists the languages in which a preview can be printed, by tag; empty for a template without messages and
 * labels. The first choice is the default, with an empty tag.
 */
export function languagesOf({
  html,
  translations,
}: {
  html: string;
  translations?: { messages: object } | undefined;
}): (readonly [tag: string, name: string])[] {
  const own = Object.keys(translations?.messages ?? {});
  const tags = [...new Set([...own, ...(USES_LABELS.test(html) ? LABEL_LANGUAGES : [])])];
  if (tags.length === 0) return [];
  return [['', 'Default language'], ...tags.map((tag) => [tag, nameOfLanguage(tag)] as const)];
}
