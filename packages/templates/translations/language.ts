import type { HelperCall, RenderLanguage } from '../helpers/definition.ts';
import { canonicalLocale, directionOf } from '../helpers/intl.ts';
import { isMissing } from '../helpers/arguments.ts';
import type { MissingVariables } from '../missing-variables.ts';
import { parseMessage } from './message.ts';

/** The messages of a template, which `checkTranslations` has checked. */
export interface Translations {
  /** The texts by language and name, as `{"de": {"total": "Summe"}}`. */
  messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The language of a request that names none, and of messages that the requested language lacks. */
  defaultLocale: string;
}

/** A language without messages, and the language whose messages were printed in its place. */
export interface ReplacedLanguage {
  requested: string;
  printed: string;
}

/** The language of one rendering. */
export class Language implements RenderLanguage {
  readonly locale: string | undefined;
  /** The language of the texts, for `<html lang>`. */
  readonly tag: string;
  readonly direction: 'rtl' | 'ltr';
  readonly isTranslated: boolean;
  readonly #messages: Translations['messages'];
  /** The locale and its fallbacks in the same language, such as `de-AT` and `de`. */
  readonly #own: readonly string[];
  /** The languages in which messages are looked for, in this order: its own, then those of the default. */
  readonly #chain: readonly string[];
  readonly #missing: MissingVariables;
  /** Whether the template lacks messages in the language of the locale. */
  readonly #lacksLanguage: boolean;
  #replaced: ReplacedLanguage | undefined;

  /**
   * `requested` is the locale of the request. Without it, a translated template takes that of its data.
   * @throws {HelperFault} for a locale that is not a language tag
   */
  constructor({
    requested,
    data,
    translations,
    missing,
  }: {
    requested: string | undefined;
    data: object;
    translations: Translations | undefined;
    missing: MissingVariables;
  }) {
    const named =
      requested === undefined ? undefined : canonicalLocale(requested, 'the locale of the request');
    this.isTranslated = translations !== undefined;
    this.#missing = missing;
    this.#messages = translations?.messages ?? {};
    const own = translations && (localeOfData(data) ?? translations.defaultLocale);
    this.locale = named ?? own;
    this.#own = translations ? fallbacksOf(this.locale ?? '') : [];
    this.#chain = translations
      ? [...new Set([...this.#own, ...fallbacksOf(translations.defaultLocale)])]
      : [];
    this.#lacksLanguage = translations !== undefined && !this.hasMessages(this.locale ?? '');
    const found = this.#chain.find((language) => Object.hasOwn(this.#messages, language));
    this.tag = found === undefined ? (this.locale ?? 'en') : this.#localeFor(found);
    this.direction = directionOf(this.tag);
  }

  /** The language that was replaced so far, if any. */
  get replaced(): ReplacedLanguage | undefined {
    return this.#replaced;
  }

  translate(name: string, call: HelperCall): string {
    const found = this.#find(name);
    if (!found) {
      this.#noteMissing(name, `the template has no message ${name} in ${this.#chain.join(' or ')}`);
      return name;
    }
    const path = `translations.${found.language}.${name}`;
    const message = parseMessage(found.text, this.#localeFor(found.language));
    const absent = [...message.kinds.keys()].filter((key) => !hasValue(call, key));
    for (const argument of absent)
      this.#missing.noteMessage(`${path}.${argument}`, `the message ${name} has no value for ${argument}`);
    return absent.length > 0 ? name : message.format(call.options, call.remainingLength);
  }

  label(name: string, call: HelperCall): string | undefined {
    const found = this.#find(name);
    if (!found) return undefined;
    const message = parseMessage(found.text, this.#localeFor(found.language));
    const absent = [...message.kinds].filter(([key]) => !hasValue(call, key));
    if (absent.some(([, kind]) => kind !== 'text')) return undefined;
    const written = absent.map(([key]) => [key, `{${key}}`] as const);
    return message.format({ ...call.options, ...Object.fromEntries(written) }, call.remainingLength);
  }

  hasMessages(locale: string): boolean {
    return fallbacksOf(locale).some((language) => Object.hasOwn(this.#messages, language));
  }

  #find(name: string): { text: string; language: string } | undefined {
    for (const language of this.#chain) {
      if (!Object.hasOwn(this.#messages, language)) continue;
      const texts = this.#messages[language] ?? {};
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
      if (text === undefined) continue;
      this.#noteLanguage(name, language);
      return { text, language };
    }
    return undefined;
  }

  /** Notes a message that is in another language than the document. */
  #noteLanguage(name: string, printed: string): void {
    if (this.#own.includes(printed)) return;
    if (this.#lacksLanguage) {
      this.#replaced ??= { requested: this.locale ?? '', printed };
      return;
    }
    const languages = this.#own.join(' or ');
    this.#noteMissing(
      name,
      `the template has no message ${name} in ${languages}; the message in ${printed} was printed instead`,
    );
  }

  #noteMissing(name: string, sentence: string): void {
    this.#missing.noteMessage(`translations.${this.#own[0] ?? ''}.${name}`, sentence);
  }

  /** Returns the requested locale if it is one of the language of a message. */
  #localeFor(language: string): string {
    const { locale } = this;
    return locale !== undefined && fallbacksOf(locale).includes(language) ? locale : language;
  }
}

function hasValue({ options }: HelperCall, name: string): boolean {
  return Object.hasOwn(options, name) && options[name] !== undefined && options[name] !== null;
}

/** Returns a locale and the more general ones: `de-AT`, `de`. */
function fallbacksOf(locale: string): string[] {
  // Extensions such as -u-nu-latn choose no language.
  const extensions = locale.search(/-[a-z0-9]-/i);
  const parts = (extensions < 0 ? locale : locale.slice(0, extensions)).split('-');
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  return [...new Set([locale, ...shorter])];
}

function localeOfData(data: object): string | undefined {
  const value: unknown = Object.hasOwn(data, 'locale') ? Reflect.get(data, 'locale') : undefined;
  return isMissing(value) ? undefined : canonicalLocale(value, 'the locale of the data');
}

/**
 * Returns the data with the locale of the request in its field `locale`, which templates pass to helpers as
 * `locale=locale`. Another kind of value stays.
 */
export function withLocale(data: object, locale: string | undefined): object {
  if (locale === undefined) return data;
  const own: unknown = Object.hasOwn(data, 'locale') ? Reflect.get(data, 'locale') : undefined;
  return isMissing(own) || typeof own === 'string' ? { ...data, locale } : data;
}
