import { TimeSlice } from '../../../src/plugin.ts';

/**
 * The start of a tag that can occur in or before a head, as Chromium's parser reads it. Sticky: it matches at
 * `lastIndex`.
 */
const HEAD_TAG =
  /<(?:html|head|base|basefont|bgsound|link|meta|(title|style|script|noscript|noframes|template))[\s/>]/iy;

/** The start of an end tag of a void element, which the parser ignores. */
const VOID_END_TAG = /<\/(?:base|basefont|bgsound|link|meta)[\s/>]/iy;

/** The end tags of elements with content. */
const END_TAGS: Readonly<Record<string, RegExp>> = {
  title: /<\/title[\s/>]/gi,
  style: /<\/style[\s/>]/gi,
  script: /<\/script[\s/>]/gi,
  noscript: /<\/noscript[\s/>]/gi,
  noframes: /<\/noframes[\s/>]/gi,
  template: /<\/template[\s/>]/gi,
};

/** Elements that may contain themselves, so that the first end tag can belong to an inner element. */
const INNER: Readonly<Record<string, RegExp>> = { script: /<script/i, template: /<template/i };

/**
 * The maximum number of parts of a head, and characters of a tag outside of quotes, that are read. More would
 * block the event loop.
 */
const MAX_PARTS = 50_000;
const MAX_TAG_CHARACTERS = 1_000_000;

/** The length of `<html>`. */
const LONGEST_START = 6;

/** How many characters are searched for end tags between two checks of the clock. */
const PIECE_CHARACTERS = 100_000;
const END_TAG = '</style';

/**
 * Adds CSS to a document at the end of its head, after its own style sheets. An end tag in the CSS is
 * replaced with an equivalent CSS escape, so that it cannot end the style element.
 */
export async function addStyles(html: string, styles: string | undefined): Promise<string> {
  if (!styles) return html;
  const end = findHeadEnd(html);
  return `${html.slice(0, end)}<style>${await escapeEndTags(styles)}</style>${html.slice(end)}`;
}

/**
 * Escapes the end tags in CSS. Gives way to other work, because a replacement in 12 MB of end tags takes 100
 * ms.
 */
async function escapeEndTags(css: string): Promise<string> {
  const pieces: string[] = [];
  const slice = new TimeSlice();
  for (let from = 0; from < css.length;) {
    if (slice.isOver) await slice.next();
    const piece = css.slice(from, from + PIECE_CHARACTERS);
    // The next piece begins with an end tag that may continue after this one.
    const start = piece.length - END_TAG.length;
    const cut = piece.slice(start).indexOf('<');
    const isLast = from + piece.length === css.length;
    const length = isLast || cut < 0 ? piece.length : start + cut;
    pieces.push(piece.slice(0, length).replace(/<\/(?=style)/gi, '<\\/'));
    from += length;
  }
  return pieces.join('');
}

/**
 * Adds CSS to a document at the start of its head, before its own style sheets, which take precedence. The
 * CSS must have no end tag.
 */
export function addFirstStyles(html: string, styles: string): string {
  if (styles === '') return html;
  let start = 0;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const isBefore = /^(?:\s|<!|<\?|<html[\s>/]|<head[\s>/])/i.test(html.slice(start, start + LONGEST_START));
    const next = isBefore ? findPartEnd(html, start) : undefined;
    if (next === undefined) break;
    start = next;
  }
  return `${html.slice(0, start)}<style>${styles}</style>${html.slice(start)}`;
}

function findHeadEnd(html: string): number {
  let end = 0;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const next = findPartEnd(html, end);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

/**
 * Finds the end of a part of a head: white space, a comment, a tag or an element. Returns `undefined` for
 * anything else or an unterminated part.
 */
function findPartEnd(html: string, at: number): number | undefined {
  const character = html[at];
  if (character === undefined) return undefined;
  if (isSpace(character)) return find(/\S/g, html, at)?.index ?? html.length;
  if (character !== '<') return undefined;
  if (html.startsWith('<!--', at)) return findCommentEnd(html, at + '<!--'.length);
  // A doctype, or a construct that is parsed as a comment (`<?xml …?>`).
  if (html.startsWith('<!', at) || html.startsWith('<?', at)) return after(html.indexOf('>', at));
  const endTag = find(VOID_END_TAG, html, at);
  if (endTag) return after(html.indexOf('>', at));
  const tag = find(HEAD_TAG, html, at);
  if (!tag) return undefined;
  // The character after the name may end the tag.
  const tagEnd = findTagEnd(html, at + tag[0].length - 1);
  const name = tag[1]?.toLowerCase();
  return tagEnd === undefined || name === undefined ? tagEnd : findElementEnd(html, tagEnd, name);
}

/**
 * Finds the end of a comment. In HTML, `<!-->` and `<!--->` are complete comments, and `--!>` ends a comment.
 */
function findCommentEnd(html: string, from: number): number | undefined {
  if (html.startsWith('>', from)) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  const end = find(/--!?>/g, html, from);
  return end && end.index + end[0].length;
}

/** Finds the end of an element with content; `undefined` when it is not closed. */
function findElementEnd(html: string, from: number, name: string): number | undefined {
  const endTag = END_TAGS[name] && find(END_TAGS[name], html, from);
  if (!endTag || INNER[name]?.test(html.slice(from, endTag.index))) return undefined;
  return after(html.indexOf('>', endTag.index));
}

/** Finds the end of a tag. A quotation mark is a quote only at the start of a value. */
function findTagEnd(html: string, from: number): number | undefined {
  let before = '';
  let read = 0;
  for (let index = from; index < html.length; index += 1) {
    const character = html[index] as string;
    read += 1;
    if (read > MAX_TAG_CHARACTERS) return undefined;
    if (character === '>') return index + 1;
    if (before === '=' && (character === '"' || character === "'")) {
      index = html.indexOf(character, index + 1);
      if (index < 0) return undefined;
    }
    if (!isSpace(character)) before = character;
  }
  return undefined;
}

/** Runs a global or sticky pattern from an index. */
function find(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}

function after(index: number): number | undefined {
  return index < 0 ? undefined : index + 1;
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}
