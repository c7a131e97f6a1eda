import { DocumentFault, quote } from './fault.ts';
import { hasMarker } from './outline.ts';

/** What `url()` may hold: a part of the document, or an image or font in itself. */
const INNER_URL =
  /^\s*(["']?)(?:#[\w-]+|data:(?:image\/(?:png|jpe?g|gif|webp|avif|bmp)|font\/[\w-]+|application\/(?:x-)?font-[\w-]+)(?:;[\w=-]+)*,[\w+/=%.-]*)(["']?)\s*\)/i;

/** What loads or runs something in some browser, now or once. */
const REFUSED = [
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
/** Names with the parenthesis of a function behind them, and without. */
const NAMES = new RegExp(String.raw`[\w${MARKERS}\\-]+\(?`, 'gu');
/** A tag in or at the name of a function or at-rule could complete it to any other. */
const MADE_RULE = new RegExp(String.raw`@[\w-]*[${MARKERS}]`, 'u');
/** What a tag writes behind an escape could be more digits of it, or nothing. */
const MADE_ESCAPE = new RegExp(String.raw`\\[\da-f]{0,6}[${MARKERS}]`, 'iu');

/**
 * Refuses styles that load, run or import anything, in clear or with CSS's escapes, and those in which a tag of Handlebars could become
 * such a thing.
 * @throws {DocumentFault}
 */
export function requireInertStyles(css: string): void {
  for (const text of new Set([css, css.replaceAll(/\/\*.*?(?:\*\/|$)/gs, ''), unescape(css)])) {
    for (const [pattern, kind] of REFUSED) {
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) throw new DocumentFault(kind, `the styles have ${quote(found)} in them`);
    }
    for (const { index, 0: found } of text.matchAll(/url[^\w(]{0,20}\(/gi)) {
      const rest = text.slice(index + found.length);
      if (!isInner(rest.slice(0, 2_000_000)))
        throw new DocumentFault(
          'a remote asset',
          `the styles have ${quote(found + rest.slice(0, 40))} in them; only data: URIs of images and fonts may be in url()`,
        );
    }
    if (hasMadeFunction(text) || MADE_RULE.test(text))
      throw new DocumentFault(
        'Handlebars in a place where it is not allowed',
        'a Handlebars tag touches the name of a CSS function or at-rule',
      );
  }
  if (MADE_ESCAPE.test(css))
    throw new DocumentFault(
      'Handlebars in a place where it is not allowed',
      'a Handlebars tag follows a CSS escape; put a space between them, or write the character without an escape',
    );
}

function isInner(url: string): boolean {
  const [matched, opening, closing] = INNER_URL.exec(url) ?? [];
  return matched !== undefined && opening === closing;
}

function hasMadeFunction(text: string): boolean {
  for (const [name] of text.matchAll(NAMES)) if (name.endsWith('(') && hasMarker(name)) return true;
  return false;
}

/** Undoes CSS's escapes (CSS Syntax 4.3.7). */
function unescape(css: string): string {
  return css
    .replaceAll(/\\([0-9a-f]{1,6})[ \t\n\f]?/gi, (_, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code < 0xf0000 ? String.fromCodePoint(code) : '\u{fffd}';
    })
    .replaceAll(/\\\n/g, '')
    .replaceAll(/\\(.)/gs, '$1');
}
