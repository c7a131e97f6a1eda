/** The named character references that can spell a part of CSS. */
const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  lpar: '(',
  NewLine: '\n',
  num: '#',
  quot: '"',
  rpar: ')',
  sol: '/',
  Tab: '\t',
};

const REFERENCE = /&(?:#x([\da-f]+)|#(\d+)|([a-z]+));?/gi;

/** A CSS escape: a hexadecimal code point and the space that ends it, a continued line, or any character. */
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\f\r])?|\r\n|[\n\f\r]|([^]))/gi;

/**
 * `@import`, and `url()` and `src()` with anything but a `data:` URI or a fragment. A variable can hold any
 * URL.
 */
const REMOTE =
  /@import|url\((?!\s*(?:["']\s*)?(?:data:|#))|(?<![\w-])src\(\s*(?:["'](?!\s*(?:data:|#))|var\()/i;

const IMAGE_SET = 'image-set(';

/** How many characters of a string show whether it is local: leading spaces and `data:`. */
const URL_START = 50;

/**
 * Returns true when the styles in a piece of HTML name a remote resource, in any spelling: with character
 * references, CSS escapes, quoted or unquoted. The HTML is searched as text, so text outside of styles counts
 * too. Takes time linear in the length.
 */
export function namesRemoteResource(html: string): boolean {
  const css = undoEscapes(decodeReferences(html));
  return REMOTE.test(css) || hasRemoteImageSet(css);
}

/** Decodes character references (WHATWG HTML 13.2.5.72), as far as they are relevant to CSS. */
function decodeReferences(html: string): string {
  return html.replaceAll(REFERENCE, (reference, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_REFERENCES[name] ?? reference;
    return character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Undoes the escapes of CSS (CSS Syntax 4.3.7). */
function undoEscapes(css: string): string {
  return css.replaceAll(ESCAPE, (_, hex?: string, escaped?: string) =>
    hex === undefined ? (escaped ?? '') : character(Number.parseInt(hex, 16)),
  );
}

function character(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\u{fffd}';
}

/**
 * Returns true when an `image-set()` names a remote image. Its strings are URLs, except those of inner
 * functions such as `type()`. Its `url()` is found by {@link REMOTE}.
 */
function hasRemoteImageSet(css: string): boolean {
  const lowerCaseCss = css.toLowerCase();
  let depth = 0;
  let quote = '';
  for (let at = lowerCaseCss.indexOf(IMAGE_SET); at >= 0 && at < lowerCaseCss.length; at += 1) {
    const char = lowerCaseCss[at];
    if (depth === 0) {
      const start = lowerCaseCss.indexOf(IMAGE_SET, at);
      if (start < 0) return false;
      at = start + IMAGE_SET.length - 1;
      depth = 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") {
      if (depth === 1 && !isLocal(lowerCaseCss.slice(at + 1, at + 1 + URL_START))) return true;
      quote = char;
    } else if (char === '(') {
      if (depth === 1 && lowerCaseCss.endsWith('var', at)) return true;
      depth += 1;
    } else if (char === ')') {
      depth -= 1;
    } else if (char === '/' && lowerCaseCss[at + 1] === '*') {
      const end = lowerCaseCss.indexOf('*/', at + 2);
      if (end < 0) return false;
      at = end + 1;
    }
  }
  return false;
}

function isLocal(url: string): boolean {
  return /^\s*(?:data:|#)/.test(url);
}
