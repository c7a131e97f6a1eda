import { EN } from '../labels/en.ts';
import { builtInLabel, LABELS_BY_LANGUAGE } from '../labels/labels.ts';
import { fieldOf, isMissing, optionOf, toText } from './arguments.ts';
import { reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { canonicalLocale, directionOf, localeOption, numberFormat } from './intl.ts';
import { nearestName } from './nearest-name.ts';
import { quoteCss } from './text.ts';
import { tooLong } from '../fault.ts';

/** The values that a label may contain, as in `Page {page}` or `due {date}`. */
const VALUES = ['from', 'to', 'date', 'number', 'name', 'role', 'amount', 'text'];
/** The counter styles of CSS by the numbering system of a locale. */
const COUNTER_STYLES: ReadonlyMap<string, string> = new Map([
  ['arab', 'arabic-indic'],
  ['arabext', 'persian'],
  ['beng', 'bengali'],
  ['deva', 'devanagari'],
  ['mymr', 'myanmar'],
]);

/** Returns a heading in the language of the data. @throws {HelperFault} if the name is unknown. */
export function labelOf([value]: readonly unknown[], call: HelperCall): string {
  const name = toText(value);
  const own = ownLabel(name, call);
  if (own !== undefined) return fill(own, call);
  const message = call.language?.label(name, call);
  if (message !== undefined) return message;
  const known = builtInLabel(name, languageOf(dataLocale(call)));
  if (known !== undefined) return fill(known, call);
  if (Object.hasOwn(call.options, 'default')) return toText(call.options['default']);
  const nearest = nearestName(name, Object.keys(EN));
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return reject(`the name of a label of the data or of a built-in label${hint}`, value);
}

/** Returns the label of the field `labels` of the data. */
function ownLabel(name: string, { root }: HelperCall): string | undefined {
  const label = fieldOf(root, ['labels', name]);
  if (isMissing(label)) return undefined;
  return typeof label === 'string' ? label : reject(`labels.${name} as text`, label);
}

/** Replaces `{name}` by the option of that name. Other braces remain. */
function fill(label: string, call: HelperCall): string {
  let { remainingLength } = call;
  return label.replace(/\{([a-z]{1,10})\}/g, (placeholder, name: string) => {
    if (!Object.hasOwn(call.options, name) || !VALUES.includes(name)) return placeholder;
    const text = toText(call.options[name]);
    remainingLength -= text.length;
    if (remainingLength < 0) throw tooLong();
    return text;
  });
}

/**
 * Returns the locale of a call: the option `locale`, otherwise the data's field `locale` or `lang`.
 * @throws {HelperFault}
 */
function dataLocale(call: HelperCall): string {
  if (optionOf(call, 'locale') !== undefined) return localeOption(call);
  const locale = [fieldOf(call.root, ['locale']), fieldOf(call.root, ['lang'])].find(
    (field) => !isMissing(field),
  );
  if (locale === undefined) return call.language?.locale ?? 'en';
  return canonicalLocale(locale, 'the locale of the data');
}

/** Returns the language of the data, or `en` if it has none. @throws {HelperFault} */
export function dataLanguage(call: HelperCall): string {
  return languageOf(dataLocale(call));
}

function languageOf(locale: string): string {
  return new Intl.Locale(locale).language;
}

function labelLanguage([value]: readonly unknown[], { root, language }: HelperCall): string {
  if (isMissing(value)) return 'en';
  const locale = canonicalLocale(value, 'a locale');
  const labels = fieldOf(root, ['labels']);
  const hasOwnLabels = typeof labels === 'object' && labels !== null && Object.keys(labels).length > 0;
  if (language?.hasMessages(locale)) return locale;
  return hasOwnLabels || LABELS_BY_LANGUAGE.has(languageOf(locale)) ? locale : 'en';
}

function labelDirection([value]: readonly unknown[]): string {
  if (isMissing(value)) return 'ltr';
  return directionOf(canonicalLocale(value, 'a locale'));
}

/** Returns text as CSS strings with page counters between them. */
function cssPageText([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  if (text.length > call.remainingLength) throw tooLong();
  const { numberingSystem } = numberFormat(localeOption(call), {}).resolvedOptions();
  const style = COUNTER_STYLES.has(numberingSystem) ? `, ${COUNTER_STYLES.get(numberingSystem)}` : '';
  const parts = text.split(/(\{pages?\})/).filter((part) => part !== '');
  const content = parts.map((part) => {
    if (part === '{page}') return `counter(page${style})`;
    return part === '{pages}' ? `counter(pages${style})` : quoteCss(part);
  });
  return content.length > 0 ? content.join(' ') : '""';
}

/** Helpers for the words of a template in the language of the data. */
export const labelHelpers: readonly TemplateHelper[] = [
  {
    name: 'labelOf',
    signature: 'name locale= default= from= to= date= number= name= role= amount= text=',
    description:
      "Returns a heading in the language of the data: the text of that name in the data's field `labels`, otherwise the built-in label in German, French, Spanish, Arabic, Hebrew, Japanese or English. The language is that of `locale=` or of the data's field `locale`; in other languages, the built-in labels are English. The options replace `{from}`, `{date}` and the like in the label. `default=` is the result for an unknown name. [The names](starters/README.md#labels) are listed with the starters.",
    examples: [
      { template: '{{labelOf "total_due"}}', data: { locale: 'de-DE' }, output: 'Zu zahlen' },
      {
        template: '{{labelOf "total_due"}}',
        data: { locale: 'it-IT', labels: { total_due: 'Totale da pagare' } },
        output: 'Totale da pagare',
      },
      {
        template: '{{labelOf "due_on" date=(formatDate due "long" locale=locale)}}',
        data: { locale: 'fr-FR', due: '2026-03-29' },
        output: 'à régler avant le 29 mars 2026',
      },
    ],
    argumentCount: [1, 1],
    options: ['locale', 'default', ...VALUES],
    run: labelOf,
  },
  {
    name: 'labelLanguage',
    signature: 'locale',
    description:
      'Returns the language of the labels, for `<html lang>`: the locale if its language has built-in labels or the data has `labels`, otherwise `en`.',
    examples: [
      { template: '{{labelLanguage locale}}', data: { locale: 'de_AT' }, output: 'de-AT' },
      { template: '{{labelLanguage locale}}', data: { locale: 'it-IT' }, output: 'en' },
    ],
    argumentCount: [1, 1],
    run: labelLanguage,
  },
  {
    name: 'labelDirection',
    signature: 'locale',
    description: 'Returns the direction of writing of a locale, for `<html dir>`: `rtl` or `ltr`.',
    examples: [
      { template: '{{labelDirection locale}}', data: { locale: 'ar-EG' }, output: 'rtl' },
      { template: '{{labelDirection "ja-JP"}}', output: 'ltr' },
    ],
    argumentCount: [1, 1],
    run: labelDirection,
  },
  {
    name: 'cssPageText',
    signature: 'text locale=',
    description:
      'Returns text as the value of the CSS property `content`, with page counters for `{page}` and `{pages}`, in the digits of `locale=`.',
    examples: [
      {
        template: '@bottom-right { content: {{cssPageText (labelOf "page_of")}}; }',
        data: { locale: 'de-DE' },
        output: '@bottom-right { content: "Seite " counter(page) " von " counter(pages); }',
      },
      {
        template: '{{cssPageText "{page}" locale="ar-EG"}}',
        output: 'counter(page, arabic-indic)',
      },
    ],
    argumentCount: [1, 1],
    options: ['locale'],
    output: 'css',
    run: cssPageText,
  },
];
