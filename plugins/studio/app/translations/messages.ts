import { canonicalTag, MESSAGE_NAME } from '@platen/templates/translation-names';
import { nameOfLanguage } from './languages.ts';

/** The messages of a template, by language tag and key. */
export type Messages = Record<string, Record<string, string>>;

/** The translations of a template. */
export interface Translations {
  messages: Messages;
  /** The language of requests without a locale, and of messages that another language lacks. */
  defaultLocale: string;
}

/** A call of the helper `t` with a written key. */
const CALL = /[{(~]\s*t\s+(?:"([^"{}]{1,400})"|'([^'{}]{1,400})')/g;
/** A call of the helper `labelOf` with a written name. */
const LABEL_CALL = /[{(~]\s*labelOf\s+(?:"([^"{}]{1,400})"|'([^'{}]{1,400})')/g;

/** Lists the keys of all languages: those of the default language first, in its order. */
export function keysOf({ messages, defaultLocale }: Translations): string[] {
  const own = Object.keys(messages[defaultLocale] ?? {});
  return [...new Set([...own, ...Object.values(messages).flatMap((texts) => Object.keys(texts))])];
}

/** Lists the keys that a template passes to the helper `t`, in its order. Computed keys are unknown. */
export function keysUsedIn(html: string): string[] {
  return namesIn(html, CALL);
}

/** Lists the names that a template passes to the helper `labelOf`, in its order. */
export function labelsUsedIn(html: string): string[] {
  return namesIn(html, LABEL_CALL);
}

function namesIn(html: string, call: RegExp): string[] {
  return [...new Set([...html.matchAll(call)].map(([, double, single]) => double ?? single ?? ''))];
}

/** Returns a message; empty if the language lacks it. A key may have the name of a property of all objects. */
export function textOf(messages: Messages, language: string, key: string): string {
  const texts = messages[language] ?? {};
  return (Object.hasOwn(texts, key) && texts[key]) || '';
}

/** Returns the message that a language takes from a more general one, as de-AT from de; empty without one. */
export function inheritedText(messages: Messages, language: string, key: string): string {
  const parts = language.split('-');
  const general = parts.map((_, index) => parts.slice(0, parts.length - index).join('-')).slice(1);
  return general.map((tag) => textOf(messages, tag, key)).find((text) => text !== '') ?? '';
}

/** Sets a message. A message without text is removed, so that the language lacks it. */
export function withMessage(
  messages: Messages,
  { language, key, text }: { language: string; key: string; text: string },
): Messages {
  const { [key]: _, ...others } = messages[language] ?? {};
  if (text === '') return { ...messages, [language]: others };
  return { ...messages, [language]: { ...messages[language], [key]: text } };
}

/** Removes a key from all languages. */
export function withoutKey(messages: Messages, key: string): Messages {
  return Object.keys(messages).reduce(
    (left, language) => withMessage(left, { language, key, text: '' }),
    messages,
  );
}

/** Removes a language. Another one becomes the default. Returns `undefined` when no language is left. */
export function withoutLanguage(
  { messages, defaultLocale }: Translations,
  language: string,
): Translations | undefined {
  const { [language]: _, ...others } = messages;
  const [first] = Object.keys(others);
  if (first === undefined) return undefined;
  return { messages: others, defaultLocale: defaultLocale === language ? first : defaultLocale };
}

/** Restores a language that was removed from `before`. Messages that were written since then stay. */
export function restoreLanguage(
  current: Translations | undefined,
  { before, language }: { before: Translations; language: string },
): Translations {
  const removed = withoutLanguage(before, language);
  const messages = inOrder(before.messages, {
    ...current?.messages,
    [language]: { ...before.messages[language], ...current?.messages[language] },
  });
  // The removal chose another default, which may have been changed since then.
  const isChosen = current !== undefined && current.defaultLocale !== removed?.defaultLocale;
  return { messages, defaultLocale: isChosen ? current.defaultLocale : before.defaultLocale };
}

/** Restores the messages of a key that was removed from `before`. Messages written since then stay. */
export function restoreKey(
  current: Translations,
  { before, key }: { before: Translations; key: string },
): Translations {
  const restored = Object.entries(current.messages).map(([language, texts]) => {
    const earlier = before.messages[language] ?? {};
    const text = Object.hasOwn(earlier, key) ? earlier[key] : undefined;
    if (text === undefined || Object.hasOwn(texts, key)) return [language, texts] as const;
    return [language, inOrder(earlier, { ...texts, [key]: text })] as const;
  });
  return { ...current, messages: Object.fromEntries(restored) };
}

/** Returns an object whose entries have the order of `model`, followed by those that it lacks. */
function inOrder<T>(model: object, entries: Record<string, T>): Record<string, T> {
  const names = [...Object.keys(model), ...Object.keys(entries)];
  const known = Object.entries(entries);
  return Object.fromEntries(known.toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other)));
}

/** Adds a language without messages. The first language is the default. */
export function withLanguage(before: Translations | undefined, language: string): Translations {
  return {
    messages: { ...before?.messages, [language]: {} },
    defaultLocale: before?.defaultLocale ?? language,
  };
}

/** Returns the canonical tag of a new language, or why it cannot be added. */
export function readLanguage(
  text: string,
  messages: Messages,
): { tag: string; error?: never } | { tag?: never; error: string } {
  const tag = canonicalTag(text.trim());
  if (tag === undefined) return { error: 'Enter a language tag such as de, pt-BR or zh-Hant.' };
  if (Object.hasOwn(messages, tag)) return { error: `${nameOfLanguage(tag)} is already here.` };
  return { tag };
}

/** Returns why a key cannot be added; `undefined` if it can. */
export function faultOfKey(key: string, keys: readonly string[]): string | undefined {
  if (!MESSAGE_NAME.test(key))
    return 'A key begins with a letter, and has letters, digits, and _, . or - between them.';
  return keys.includes(key) ? 'This key is already here.' : undefined;
}
