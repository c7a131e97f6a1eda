import Handlebars from 'handlebars';
import { isMissing, toInteger, toText } from './arguments.ts';
import { reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { countryNames, localeOption } from './intl.ts';
import { tooLong } from '../fault.ts';

const MAX_PADDED = 1_000;
const MAX_FILL = 100;
const MAX_TRUNCATED = 1_000_000;
const MAX_ASSET_NAME = 100;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function truncate([value, size]: readonly unknown[]): string {
  const text = toText(value);
  const limit = toInteger(size, { subject: 'a length', min: 1, max: MAX_TRUNCATED });
  if (text.length <= limit) return text;
  let count = 0;
  let end = 0;
  for (const { index } of graphemes.segment(text)) {
    count += 1;
    // The ellipsis is the last character.
    if (count === limit) end = index;
    if (count > limit) return `${text.slice(0, end).trimEnd()}…`;
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

function concat(values: readonly unknown[], { remainingLength }: HelperCall): string {
  const texts = values.map(toText);
  // Check the length before building the text.
  if (texts.reduce((length, text) => length + text.length, 0) > remainingLength) throw tooLong();
  return texts.join('');
}

function padStart([value, size, fill]: readonly unknown[]): string {
  const width = toInteger(size, { subject: 'a length', min: 0, max: MAX_PADDED });
  const filler = isMissing(fill) ? ' ' : toText(fill);
  if (filler.length > MAX_FILL) reject(`a fill of at most ${MAX_FILL} characters`, filler);
  return toText(value).padStart(width, filler);
}

function nl2br([value]: readonly unknown[], { remainingLength }: HelperCall): string {
  const text = toText(value);
  if (text.length > remainingLength) throw tooLong();
  return Handlebars.escapeExpression(text).replace(/\r\n?|\n/g, '<br>');
}

/**
 * Returns the URL of an asset of the account: `asset:logo.png`. Characters with a meaning in URLs, HTML or
 * CSS are encoded, so the result can be used in `src`, `href` and `url()`.
 * @throws {HelperFault}
 */
function asset([name]: readonly unknown[]): string {
  const text = toText(name);
  if (text === '' || text.length > MAX_ASSET_NAME)
    reject(`a name of 1 to ${MAX_ASSET_NAME} characters`, name);
  const encoded = encodeURIComponent(text.toWellFormed());
  return `asset:${encoded.replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

/**
 * Converts text to a quoted CSS string (CSS Syntax 4.3.7). Escapes all characters except letters, digits and
 * spaces as `\hex `, so that text cannot end the string or the style element.
 * @throws {HelperFault}
 */
function cssString([value]: readonly unknown[], { remainingLength }: HelperCall): string {
  const text = toText(value);
  if (text.length > remainingLength) throw tooLong();
  return quoteCss(text);
}

/** Quotes text for CSS as the helper `cssString` does. */
export function quoteCss(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{M}\p{Nd} ]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}

const MAX_IBAN = 60;

/** Groups an IBAN in fours (ISO 13616). Other text is returned unchanged. */
function formatIban([value]: readonly unknown[]): string {
  const text = toText(value);
  if (text.length > MAX_IBAN) return text;
  const compact = text.replaceAll(/[\s-]/g, '');
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{8,30}$/i.test(compact)) return text;
  return (
    compact
      .toUpperCase()
      .match(/.{1,4}/g)
      ?.join(' ') ?? text
  );
}

/** Returns the name of a country. A code that Intl does not know is returned unchanged. */
function formatCountry([value]: readonly unknown[], call: HelperCall): string {
  const code = toText(value);
  const locale = localeOption(call);
  return /^[a-z]{2}$/i.test(code) ? (countryNames(locale).of(code.toUpperCase()) ?? code) : code;
}

/** Helpers that transform text. Their output is escaped unless they return HTML or CSS. */
export const textHelpers: readonly TemplateHelper[] = [
  {
    name: 'uppercase',
    signature: 'text locale=',
    description: 'Converts text to upper case.',
    examples: [{ template: '{{uppercase "straße"}}', output: 'STRASSE' }],
    argumentCount: [1, 1],
    options: ['locale'],
    run: ([value], call) => toText(value).toLocaleUpperCase(localeOption(call)),
  },
  {
    name: 'lowercase',
    signature: 'text locale=',
    description: 'Converts text to lower case.',
    examples: [{ template: '{{lowercase "ABC"}}', output: 'abc' }],
    argumentCount: [1, 1],
    options: ['locale'],
    run: ([value], call) => toText(value).toLocaleLowerCase(localeOption(call)),
  },
  {
    name: 'capitalize',
    signature: 'text locale=',
    description: 'Converts the first letter to upper case.',
    examples: [{ template: '{{capitalize "due today"}}', output: 'Due today' }],
    argumentCount: [1, 1],
    options: ['locale'],
    run: capitalize,
  },
  {
    name: 'truncate',
    signature: 'text n',
    description: 'Truncates text to at most n characters, including an ellipsis.',
    examples: [{ template: '{{truncate "A long description" 8}}', output: 'A long…' }],
    argumentCount: [2, 2],
    run: truncate,
  },
  {
    name: 'padStart',
    signature: 'text n [fill]',
    description: 'Pads the start of text to n characters (at most 1,000) with spaces or `fill`.',
    examples: [{ template: 'INV-{{padStart number 5 "0"}}', data: { number: 42 }, output: 'INV-00042' }],
    argumentCount: [2, 3],
    run: padStart,
  },
  {
    name: 'concat',
    signature: 'a b …',
    description: 'Concatenates texts.',
    examples: [
      {
        template: '{{uppercase (concat city ", " country)}}',
        data: { city: 'Bern', country: 'ch' },
        output: 'BERN, CH',
      },
    ],
    argumentCount: [1, 100],
    run: concat,
  },
  {
    name: 'nl2br',
    signature: 'text',
    description: 'Returns the text as escaped HTML, with `<br>` for each line break.',
    examples: [
      {
        template: '{{nl2br address}}',
        data: { address: 'A & B\n1 Main St' },
        output: 'A &amp; B<br>1 Main St',
      },
    ],
    argumentCount: [1, 1],
    output: 'html',
    run: nl2br,
  },
  {
    name: 'cssString',
    signature: 'text',
    description:
      'Returns the text as a quoted CSS string, for example for `content` in a style sheet. A plain `{{text}}` would be escaped as HTML and could end the string.',
    examples: [
      {
        template: '@bottom-left { content: {{cssString (concat "Invoice " number)}}; }',
        data: { number: 'A&B "7"' },
        output: String.raw`@bottom-left { content: "Invoice A\26 B \22 7\22 "; }`,
      },
    ],
    argumentCount: [1, 1],
    output: 'css',
    run: cssString,
  },
  {
    name: 'formatIban',
    signature: 'iban',
    description: 'Groups an IBAN in fours. Other text is returned unchanged.',
    examples: [
      {
        template: '{{formatIban iban}}',
        data: { iban: 'de89370400440532013000' },
        output: 'DE89 3704 0044 0532 0130 00',
      },
    ],
    argumentCount: [1, 1],
    run: formatIban,
  },
  {
    name: 'formatCountry',
    signature: 'code locale=',
    description:
      'Returns the name of a country by its ISO 3166-1 code of two letters. Other text is returned unchanged.',
    examples: [{ template: '{{formatCountry "DE" locale="de-DE"}}', output: 'Deutschland' }],
    argumentCount: [1, 1],
    options: ['locale'],
    run: formatCountry,
  },
  {
    name: 'asset',
    signature: 'name',
    description:
      'Returns the URL of an image, a style sheet or a font that was uploaded to `/v1/assets`, for `src`, `href` and `url()`.',
    examples: [
      { template: '<img src="{{asset "logo.png"}}">', output: '<img src="asset:logo.png">' },
      {
        template: '<img src="{{asset picture}}">',
        data: { picture: 'Chair (red).jpg' },
        output: '<img src="asset:Chair%20%28red%29.jpg">',
      },
    ],
    argumentCount: [1, 1],
    run: asset,
  },
];
