// The functions in this file run in the sandbox.

/** Receives the references of a text, and may replace the name of an existing asset. */
export interface Visitor {
  isAsset(name: string): boolean;
  found(name: string): string;
  missing?(name: string): void;
  dynamic?(reference: string): void;
}

/**
 * The longest reference: 100 characters, each of which has up to three percent-encoded bytes, and a fragment.
 */
const MAX_REFERENCE_CHARACTERS = 1_000;
const MAX_QUOTED_CHARACTERS = 100;

const ASSET_URL = /asset:/gi;
const WORD = /[\w-]/;

/**
 * Where a reference can end: at the white space or the markup that follows it, or earlier, where CSS or a
 * list ends it.
 */
const ENDS = [/[\s"'<>]/, /[\s"'()<>,;\\]/];

/** A call of the helper `asset` with a string, or with an expression. */
const HELPER = /([{(]~?\s*asset\s+)(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"')}][^\s)}]{0,1000}))/g;

/** A string or an unquoted URL in a style sheet. */
const CSS_TEXT = /"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|(url\(\s*)([^"')\s]{1,1000})/g;

/** The ends of declarations in CSS, attributes and scripts. */
const DECLARATION_END = /[;<>]/;

/** The start of a property that can name the family of a font, or of a custom property. */
const FONT_PROPERTY = /font|--/i;

const JSON_STRING = /"(?:[^"\\]|\\.)*"?/gs;
const CHARACTER_REFERENCE = /&(amp|apos|#(\d{1,5})|#x([\da-f]{1,4}));/gi;
const LETTER = /[\p{L}\p{N}]/u;

/** Visits the references of a template's HTML and returns the HTML with the replaced names. */
export function visitTemplate(html: string, visitor: Visitor): string {
  const called = html.replaceAll(
    HELPER,
    (call, start: string, double?: string, single?: string, expression?: string) => {
      if (expression !== undefined) visitor.dynamic?.(quote(`asset ${expression}`));
      const name = (double ?? single ?? '').normalize('NFC');
      if (name === '') return call;
      if (!visitor.isAsset(name)) visitor.missing?.(name);
      const mark = double === undefined ? "'" : '"';
      return visitor.isAsset(name) ? start + mark + visitor.found(name) + mark : call;
    },
  );
  const pieces: string[] = [];
  let done = 0;
  for (const { index, 0: scheme } of called.matchAll(ASSET_URL)) {
    if (index < done || WORD.test(called[index - 1] ?? ' ')) continue;
    const start = index + scheme.length;
    const candidates = candidatesAt(called, { index, start });
    const used = candidates.find((text) => visitor.isAsset(nameOf(text)));
    if (used !== undefined) {
      const name = nameOf(used);
      const replacement = visitor.found(name);
      if (replacement === name) continue;
      pieces.push(called.slice(done, start), encodeName(replacement), fragmentOf(decodeReferences(used)));
      done = start + used.length;
      continue;
    }
    const written = candidates.find((text) => text.includes('{{'));
    const shortest = candidates.at(-1) ?? '';
    if (written !== undefined) visitor.dynamic?.(quote(`asset:${written}`));
    else if (shortest !== '') visitor.missing?.(nameOf(shortest));
  }
  return pieces.join('') + called.slice(done);
}

/** Visits the references of a style sheet, which names other assets with or without `asset:`. */
export function visitStyleSheet(css: string, visitor: Visitor): string {
  return css.replaceAll(
    CSS_TEXT,
    (whole, double?: string, single?: string, before?: string, bare?: string) => {
      const text = double ?? single ?? bare ?? '';
      const [scheme = ''] = /^\s*(?:asset:)?(?:\.\/)?/i.exec(text) ?? [];
      const reference = text.slice(scheme.length);
      const name = nameOf(reference);
      if (!visitor.isAsset(name)) return whole;
      const replacement = visitor.found(name);
      if (replacement === name) return whole;
      const replaced = scheme + encodeName(replacement) + fragmentOf(reference);
      if (double !== undefined) return `"${replaced}"`;
      return single === undefined ? (before ?? '') + replaced : `'${replaced}'`;
    },
  );
}

/**
 * Visits the references in the strings of a JSON text. All other text stays as it is, such as numbers with
 * many digits.
 */
export function visitJson(json: string, visitor: Visitor): string {
  return json.replaceAll(JSON_STRING, (literal) => {
    const before: string = JSON.parse(literal);
    const after = visitTemplate(before, visitor);
    return after === before ? literal : JSON.stringify(after);
  });
}

/** Returns the values in which a text names families of fonts, in lower case. */
export function fontValues(text: string): string {
  const values = new Set<string>();
  for (const declaration of text.split(DECLARATION_END)) {
    const property = declaration.slice(declaration.search(FONT_PROPERTY));
    const value = property.search(/[:=]/);
    if (FONT_PROPERTY.test(declaration) && value >= 0) values.add(property.slice(value).toLowerCase());
  }
  return [...values].join('\n');
}

/** Tells whether values name a family, as a whole word. */
export function namesFamily(values: string, family: string): boolean {
  const wanted = family.toLowerCase();
  for (let at = values.indexOf(wanted); at >= 0; at = values.indexOf(wanted, at + 1)) {
    const around = [values[at - 1], values[at + wanted.length]];
    if (!around.some((character) => character !== undefined && LETTER.test(character))) return true;
  }
  return false;
}

/** Returns the texts that a reference can consist of, the longest first. */
function candidatesAt(text: string, { index, start }: { index: number; start: number }): string[] {
  const segment = text.slice(start, start + MAX_REFERENCE_CHARACTERS);
  const mark = text[index - 1];
  const quoted = mark === '"' || mark === "'" ? segment.indexOf(mark) : -1;
  const ends = ENDS.map((end) => segment.search(end)).map((end) => (end < 0 ? segment.length : end));
  // A string in sample data can be a reference as a whole.
  const whole = index === 0 ? [segment] : [];
  return [...whole, ...[...(quoted < 0 ? [] : [quoted]), ...ends].map((end) => segment.slice(0, end))];
}

function nameOf(reference: string): string {
  const [path = ''] = decodeReferences(reference).trim().split(/[?#]/, 1);
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path.normalize('NFC');
  }
}

function fragmentOf(reference: string): string {
  const at = reference.indexOf('#');
  return at < 0 ? '' : reference.slice(at);
}

/** Encodes a name for a URL in HTML or CSS, without any special characters of these languages. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

/** Decodes the character references that names may need in an attribute. */
function decodeReferences(text: string): string {
  return text.replaceAll(CHARACTER_REFERENCE, (_, name: string, decimal?: string, hex?: string) => {
    if (decimal === undefined && hex === undefined) return name.toLowerCase() === 'amp' ? '&' : "'";
    return String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function quote(text: string): string {
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
}
