import { describe, expect, test } from 'bun:test';
import {
  faultOfKey,
  inheritedText,
  keysOf,
  keysUsedIn,
  labelsUsedIn,
  readLanguage,
  restoreKey,
  restoreLanguage,
  withLanguage,
  withMessage,
  withoutKey,
  withoutLanguage,
} from './messages.ts';

const messages = { en: { total: 'Total', due: 'Due' }, de: { total: 'Summe', note: 'Hinweis' } };

describe('translations in the editor', () => {
  test('have the keys of all languages, those of the default language first', () => {
    expect(keysOf({ messages, defaultLocale: 'en' })).toEqual(['total', 'due', 'note']);
    expect(keysOf({ messages, defaultLocale: 'de' })).toEqual(['total', 'note', 'due']);
    expect(keysOf({ messages: {}, defaultLocale: 'en' })).toEqual([]);
  });

  test('are inherited from more general languages', () => {
    const regional = { ...messages, 'de-AT': { total: 'Gesamt' }, 'de-Latn-AT': {}, 'en-GB': {} };
    expect(inheritedText(regional, 'de-AT', 'note')).toBe('Hinweis');
    expect(inheritedText(regional, 'de-Latn-AT', 'total')).toBe('Summe');
    expect(inheritedText(regional, 'en-GB', 'note')).toBe('');
    expect(inheritedText(regional, 'de', 'total')).toBe('');
    expect(inheritedText(regional, 'de-AT', 'toString')).toBe('');
  });

  test.each([
    ['{{t "total"}} {{t "total"}}', ['total']],
    [`{{ t 'nav.home' name=x }}{{~t "b-c"}}{{{t "d"}}}`, ['nav.home', 'b-c', 'd']],
    ['{{upper (t "inner")}} {{#if (t "x")}}{{/if}}', ['inner', 'x']],
    ['{{t key}} {{this.t}} {{format "t"}} {{at "no"}} t "no" {{t"no"}}', []],
    ['{{t "}} {{t "a}}', []],
  ])('the keys used in %s are %p', (html, keys) => {
    expect(keysUsedIn(html)).toEqual(keys);
  });

  test('the labels used in a template are those of labelOf', () => {
    const html = `{{labelOf "total_due"}} {{upper (labelOf 'bank' x=1)}} {{labelOf name}} {{t "items"}}`;
    expect(labelsUsedIn(html)).toEqual(['total_due', 'bank']);
  });

  test('a long template with many incomplete calls has no keys', () => {
    expect(keysUsedIn(`${'{'.repeat(500_000)}${'{ '.repeat(500_000)}${'{t "'.repeat(200_000)}`)).toEqual([]);
  });

  test('a message is set, and removed when its text is empty', () => {
    const set = withMessage(messages, { language: 'de', key: 'due', text: 'Fällig' });
    expect(set).toEqual({ en: messages.en, de: { ...messages.de, due: 'Fällig' } });
    expect(withMessage(set, { language: 'de', key: 'due', text: '' })).toEqual(messages);
    expect(
      Object.keys(withMessage(messages, { language: 'en', key: 'total', text: 'Sum' }).en ?? {}),
    ).toEqual(['total', 'due']);
  });

  test('a key and a language are removed; the default moves to another language', () => {
    expect(withoutKey(messages, 'total')).toEqual({ en: { due: 'Due' }, de: { note: 'Hinweis' } });
    expect(withoutLanguage({ messages, defaultLocale: 'en' }, 'en')).toEqual({
      messages: { de: messages.de },
      defaultLocale: 'de',
    });
    expect(withoutLanguage({ messages: { en: {} }, defaultLocale: 'en' }, 'en')).toBeUndefined();
  });

  test('a removed language is restored with its messages; later changes stay', () => {
    const before = { messages, defaultLocale: 'en' };
    const removed = withoutLanguage(before, 'en');
    expect(restoreLanguage(removed, { before, language: 'en' })).toEqual(before);
    const changed = { messages: { de: { total: 'Gesamt' }, fr: {} }, defaultLocale: 'fr' };
    const restored = restoreLanguage(changed, { before, language: 'en' });
    expect(restored).toEqual({ messages: { en: messages.en, ...changed.messages }, defaultLocale: 'fr' });
    expect(Object.keys(restored.messages)).toEqual(['en', 'de', 'fr']);
    const again = { messages: { de: {}, en: { total: 'Sum' } }, defaultLocale: 'de' };
    expect(restoreLanguage(again, { before, language: 'en' }).messages['en']).toEqual({
      total: 'Sum',
      due: 'Due',
    });
    const only = { messages: { fr: { total: 'Somme' } }, defaultLocale: 'fr' };
    expect(restoreLanguage(undefined, { before: only, language: 'fr' })).toEqual(only);
  });

  test('a removed key is restored at its place; later changes stay', () => {
    const before = { messages, defaultLocale: 'en' };
    const changed = { en: { due: 'Due by' }, de: { note: 'Hinweis', total: 'Gesamt' }, fr: { due: 'Dû' } };
    const { messages: restored } = restoreKey(
      { messages: changed, defaultLocale: 'de' },
      { before, key: 'total' },
    );
    expect(restored).toEqual({ ...changed, en: { total: 'Total', due: 'Due by' } });
    expect(Object.keys(restored['en'] ?? {})).toEqual(['total', 'due']);
    expect(restoreKey({ messages: { de: {} }, defaultLocale: 'de' }, { before, key: 'total' })).toEqual({
      messages: { de: { total: 'Summe' } },
      defaultLocale: 'de',
    });
  });

  test('the first language is the default', () => {
    const first = withLanguage(undefined, 'fr');
    expect(first).toEqual({ messages: { fr: {} }, defaultLocale: 'fr' });
    expect(withLanguage(first, 'de')).toEqual({ messages: { fr: {}, de: {} }, defaultLocale: 'fr' });
  });

  test.each([
    [' de_at ', { tag: 'de-AT' }],
    ['PT-br', { tag: 'pt-BR' }],
    ['', { error: 'Enter a language tag such as de, pt-BR or zh-Hant.' }],
    ['not a tag', { error: 'Enter a language tag such as de, pt-BR or zh-Hant.' }],
    ['German', { error: 'Enter a language tag such as de, pt-BR or zh-Hant.' }],
    ['DE', { error: 'German is already here.' }],
  ])('the language %p is read', (text, expected) => {
    expect(readLanguage(text, messages)).toEqual(expected);
  });

  test('keys have the form that the API accepts', () => {
    for (const key of ['total', 'nav.home', 'a-b', 'x1']) expect(faultOfKey(key, [])).toBeUndefined();
    for (const key of ['', '1a', 'a b', 'a..b', 'a.', '__proto__', 'ä'])
      expect(faultOfKey(key, [])).toStartWith('A key begins');
    expect(faultOfKey('total', ['total'])).toBe('This key is already here.');
  });
});
