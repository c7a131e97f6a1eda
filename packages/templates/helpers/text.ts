import Handlebars from 'handlebars';
import { isMissing, toInteger, toText } from './arguments.ts';
import { cssString } from './css.ts';
import { refuse, type HelperCall, type TemplateHelper } from './definition.ts';
import { localeOption } from './intl.ts';
import { tooLong } from '../fault.ts';

const MAX_PADDED = 1_000;
const MAX_FILL = 100;
const MAX_TRUNCATED = 1_000_000;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function truncate([value, size]: readonly unknown[]): string {
  const text = toText(value);
  const most = toInteger(size, { what: 'a length', min: 1, max: MAX_TRUNCATED });
  if (text.length <= most) return text;
  let count = 0;
  let end = 0;
  for (const { index } of characters.segment(text)) {
    count += 1;
    // The last place is the ellipsis's.
    if (count === most) end = index;
    if (count > most) return `${text.slice(0, end).trimEnd()}…`;
  }
  return text;
}

function capitalize([value]: readonly unknown[], call: HelperCall): string {
  const text = toText(value);
  const first = text.codePointAt(0);
  if (first === undefined) return '';
  const letter = String.fromCodePoint(first);
  return letter.toLocaleUpperCase(localeOption(call)) + text.slice(letter.length);
}

function concat(values: readonly unknown[], { room }: HelperCall): string {
  const texts = values.map(toText);
  // Seen before the text is built, not after.
  if (texts.reduce((length, text) => length + text.length, 0) > room) throw tooLong();
  return texts.join('');
}

function padStart([value, size, fill]: readonly unknown[]): string {
  const width = toInteger(size, { what: 'a length', min: 0, max: MAX_PADDED });
  const filler = isMissing(fill) ? ' ' : toText(fill);
  if (filler.length > MAX_FILL) refuse(`a fill of at most ${MAX_FILL} characters`, filler);
  return toText(value).padStart(width, filler);
}

function nl2br([value]: readonly unknown[], { room }: HelperCall): string {
  const text = toText(value);
  if (text.length > room) throw tooLong();
  return Handlebars.escapeExpression(text).replace(/\r\n?|\n/g, '<br>');
}

/** Helpers that change text. Their output is escaped like any value, except where they say that they make HTML. */
export const textHelpers: readonly TemplateHelper[] = [
  {
    name: 'uppercase',
    signature: 'text locale=',
    sentence: 'Writes text in capitals.',
    examples: [{ template: '{{uppercase "straße"}}', output: 'STRASSE' }],
    takes: [1, 1],
    options: ['locale'],
    run: ([value], call) => toText(value).toLocaleUpperCase(localeOption(call)),
  },
  {
    name: 'lowercase',
    signature: 'text locale=',
    sentence: 'Writes text in small letters.',
    examples: [{ template: '{{lowercase "ABC"}}', output: 'abc' }],
    takes: [1, 1],
    options: ['locale'],
    run: ([value], call) => toText(value).toLocaleLowerCase(localeOption(call)),
  },
  {
    name: 'capitalize',
    signature: 'text locale=',
    sentence: 'Writes the first letter as a capital.',
    examples: [{ template: '{{capitalize "due today"}}', output: 'Due today' }],
    takes: [1, 1],
    options: ['locale'],
    run: capitalize,
  },
  {
    name: 'truncate',
    signature: 'text n',
    sentence: 'Cuts text to at most n characters, the last of which is then an ellipsis.',
    examples: [{ template: '{{truncate "A long description" 8}}', output: 'A long…' }],
    takes: [2, 2],
    run: truncate,
  },
  {
    name: 'padStart',
    signature: 'text n [fill]',
    sentence: 'Fills text up to n characters (1,000 at most) from its start, with spaces or `fill`.',
    examples: [{ template: 'INV-{{padStart number 5 "0"}}', data: { number: 42 }, output: 'INV-00042' }],
    takes: [2, 3],
    run: padStart,
  },
  {
    name: 'concat',
    signature: 'a b …',
    sentence: 'Puts texts together.',
    examples: [
      {
        template: '{{uppercase (concat city ", " country)}}',
        data: { city: 'Bern', country: 'ch' },
        output: 'BERN, CH',
      },
    ],
    takes: [1, 100],
    run: concat,
  },
  {
    name: 'nl2br',
    signature: 'text',
    sentence: 'Makes HTML: the text escaped, with `<br>` for each line break.',
    examples: [
      {
        template: '{{nl2br address}}',
        data: { address: 'A & B\n1 Main St' },
        output: 'A &amp; B<br>1 Main St',
      },
    ],
    takes: [1, 1],
    output: 'html',
    run: nl2br,
  },
  {
    name: 'cssString',
    signature: 'text',
    sentence:
      'Makes CSS: the text as a quoted string, for `content` in a style sheet, where `{{text}}` would be escaped as HTML and could end the string.',
    examples: [
      {
        template: '@bottom-left { content: {{cssString (concat "Invoice " number)}}; }',
        data: { number: 'A&B "7"' },
        output: String.raw`@bottom-left { content: "Invoice A\26 B \22 7\22 "; }`,
      },
    ],
    takes: [1, 1],
    output: 'css',
    run: cssString,
  },
];
