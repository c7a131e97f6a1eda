/** Character references that can spell a part of CSS; numeric ones are decoded by their number. */
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

/** An escape of CSS: a code point in hexadecimal and the space that ends it, a line that continues, or any character. */
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\f\r])?|\r\n|[\n\f\r]|([^]))/gi;

/** `url()` and `src()` of anything but a `data:` URI or a fragment, and `@import`. The string in a variable can be any address. */
const REMOTE =
  /@import|url\((?!\s*(?:["']\s*)?(?:data:|#))|(?<![\w-])src\(\s*(?:["'](?!\s*(?:data:|#))|var\()/i;

const IMAGE_SET = 'image-set(';

/** How much of a string is read to see whether it is local: the spaces before `data:` and the word itself. */
const ADDRESS_START = 50;

/**
 * Tells whether styles in a piece of HTML name a remote resource, in whichever spelling: with character references, with escapes of CSS, in
 * strings and without. The HTML is searched as text, so words outside of styles count too. Takes time linear in the length.
 */
export function namesRemoteResource(html: string): boolean {
  const css = undoEscapes(decodeReferences(html));
  return REMOTE.test(css) || hasRemoteImageSet(css);
}

/** Decodes character references (WHATWG HTML 13.2.5.72), as far as they matter to CSS. */
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
 * Tells whether an `image-set()` names a remote image. Its strings are addresses, except those of inner functions such as `type()`; for
 * its `url()` see {@link REMOTE}.
 */
function hasRemoteImageSet(css: string): boolean {
  const lower = css.toLowerCase();
  let depth = 0;
  let quote = '';
  for (let at = lower.indexOf(IMAGE_SET); at >= 0 && at < lower.length; at += 1) {
    const char = lower[at];
    if (depth === 0) {
      const start = lower.indexOf(IMAGE_SET, at);
      if (start < 0) return false;
      at = start + IMAGE_SET.length - 1;
      depth = 1;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") {
      if (depth === 1 && !isLocal(lower.slice(at + 1, at + 1 + ADDRESS_START))) return true;
      quote = char;
    } else if (char === '(') {
      if (depth === 1 && lower.endsWith('var', at)) return true;
      depth += 1;
    } else if (char === ')') {
      depth -= 1;
    } else if (char === '/' && lower[at + 1] === '*') {
      const end = lower.indexOf('*/', at + 2);
      if (end < 0) return false;
      at = end + 1;
    }
  }
  return false;
}

function isLocal(address: string): boolean {
  return /^\s*(?:data:|#)/.test(address);
}
