import { DocumentFault, quote } from './fault.ts';
import { hasMarker } from './marked-text.ts';

/** The content that `url()` may have: a fragment of the document, or an embedded image or font. */
const INNER_URL =
  /^\s*(["']?)(?:#[\w-]+|data:(?:image\/(?:png|jpe?g|gif|webp|avif|bmp)|font\/[\w-]+|application\/(?:x-)?font-[\w-]+)(?:;[\w=-]+)*,[\w+/=%.-]*)(["']?)\s*\)/i;

/** Constructs that load or run something in some browser, including old ones. */
const ACTIVE_CONSTRUCTS = [
  [/@\s*(import|namespace|document)/i, 'a remote asset'],
  [
    /(?:^|[^\w-])(image-set|-webkit-image-set|src|image|cross-fade|element|paint|-moz-element)\s*\(/i,
    'a remote asset',
  ],
  [/(?:^|[^\w-])expression\s*\(/i, 'a script'],
  [/(?:^|[^\w-])(?:-moz-binding|behavior)\s*:/i, 'a script'],
  [/javascript\s*:/i, 'a script'],
] as const;

const MARKERS = String.raw`\u{f0000}-\u{fffef}`;
/** Names, with the opening parenthesis if they are the name of a function. */
const NAMES = new RegExp(String.raw`[\w${MARKERS}\\-]+\(?`, 'gu');
/** A Handlebars tag that touches the name of an at-rule could turn it into any other. */
const COMPLETED_AT_RULE = new RegExp(String.raw`@[\w-]*[${MARKERS}]`, 'u');
/** A tag after an escape could add hexadecimal digits to it, or output nothing. */
const COMPLETED_ESCAPE = new RegExp(String.raw`\\[\da-f]{0,6}[${MARKERS}]`, 'iu');

/**
 * Rejects styles that load, run or import something, with or without CSS escapes, and styles in which the
 * output of a Handlebars tag could do so.
 * @throws {DocumentFault}
 */
export function requireInertStyles(css: string): void {
  for (const text of new Set([css, css.replaceAll(/\/\*.*?(?:\*\/|$)/gs, ''), unescape(css)])) {
    for (const [pattern, kind] of ACTIVE_CONSTRUCTS) {
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) throw new DocumentFault(kind, `the styles must not contain ${quote(found)}`);
    }
    for (const { index, 0: found } of text.matchAll(/url[^\w(]{0,20}\(/gi)) {
      const rest = text.slice(index + found.length);
      if (!isEmbedded(rest.slice(0, 2_000_000)))
        throw new DocumentFault(
          'a remote asset',
          `the styles contain ${quote(found + rest.slice(0, 40))}; url() may only hold data: URIs of images and fonts`,
        );
    }
    if (hasCompletedFunction(text) || COMPLETED_AT_RULE.test(text))
      throw new DocumentFault(
        'a misplaced Handlebars tag',
        'a Handlebars tag must not touch the name of a CSS function or at-rule',
      );
  }
  if (COMPLETED_ESCAPE.test(css))
    throw new DocumentFault(
      'a misplaced Handlebars tag',
      'a Handlebars tag must not follow a CSS escape; put a space between them, or write the character without an escape',
    );
}

function isEmbedded(url: string): boolean {
  const [matched, opening, closing] = INNER_URL.exec(url) ?? [];
  return matched !== undefined && opening === closing;
}

/** Tells whether a Handlebars tag touches the name of a function, which it could turn into any other. */
function hasCompletedFunction(text: string): boolean {
  for (const [name] of text.matchAll(NAMES)) if (name.endsWith('(') && hasMarker(name)) return true;
  return false;
}

/** Decodes CSS escapes (CSS Syntax 4.3.7). */
function unescape(css: string): string {
  return css
    .replaceAll(/\\([0-9a-f]{1,6})[ \t\n\f]?/gi, (_, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code < 0xf0000 ? String.fromCodePoint(code) : '\u{fffd}';
    })
    .replaceAll(/\\\n/g, '')
    .replaceAll(/\\(.)/gs, '$1');
}
