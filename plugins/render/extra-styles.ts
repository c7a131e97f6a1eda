/**
 * What may stand before a head's next tag: blanks, comments as they end in HTML (also `<!-->`, `--!>`), a doctype, what is read as a
 * comment (`<?xml …?>`), end tags of elements that have none. Sticky: it reads on from `lastIndex`.
 */
const BETWEEN_TAGS =
  /(?:\s+|<!--(?:-?>|[\s\S]*?--!?>)|<!(?!--)[^>]*>|<\?[^>]*>|<\/(?:base|basefont|bgsound|link|meta)(?=[\s/>])[^>]*>)+/iy;

/** The start of a tag that may stand in a head, or before it, as Chromium's parser reads it. */
const HEAD_TAG =
  /<(?:html|head|base|basefont|bgsound|link|meta|(title|style|script|noscript|noframes|template))(?=[\s/>])/iy;

/**
 * Adds CSS to a document at the end of its head, after its own style sheets. It stays CSS whatever it holds: an end tag in it is
 * written as an escape that means the same in CSS.
 */
export function addStyles(html: string, styles: string | undefined): string {
  if (!styles) return html;
  const end = findHeadEnd(html);
  return `${html.slice(0, end)}<style>${styles.replace(/<\/(?=style)/gi, '<\\/')}</style>${html.slice(end)}`;
}

function findHeadEnd(html: string): number {
  for (let end = 0; ;) {
    BETWEEN_TAGS.lastIndex = end;
    if (BETWEEN_TAGS.test(html)) end = BETWEEN_TAGS.lastIndex;
    HEAD_TAG.lastIndex = end;
    const tag = HEAD_TAG.exec(html);
    if (!tag) return end;
    const next = findElementEnd(html, HEAD_TAG.lastIndex, tag[1]);
    if (next === undefined) return end;
    end = next;
  }
}

/** Finds what comes after a start tag, and after its element when that has content; `undefined` when it is not closed. */
function findElementEnd(html: string, from: number, content: string | undefined): number | undefined {
  const tagEnd = findTagEnd(html, from);
  if (tagEnd === undefined || content === undefined) return tagEnd;
  const close = new RegExp(`</${content}(?=[\\s/>])[^>]*>`, 'gi');
  close.lastIndex = tagEnd;
  if (!close.test(html)) return undefined;
  const inner = html.slice(tagEnd, close.lastIndex);
  // Such an element may end later: in these two, an end tag can be that of an inner one.
  const mayHoldItself = /^(?:script|template)$/i.test(content) && new RegExp(`<${content}`, 'i').test(inner);
  return mayHoldItself ? undefined : close.lastIndex;
}

/**
 * Finds the end of a tag. A quote is one only where a value begins. A loop, as a regular expression that knows quotes takes a second for
 * each megabyte of a tag that does not end.
 */
function findTagEnd(html: string, from: number): number | undefined {
  let quote = '';
  let before = '';
  for (let index = from; index < html.length; index += 1) {
    const character = html[index] as string;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return index + 1;
    else if (before === '=' && (character === '"' || character === "'")) quote = character;
    if (!/\s/.test(character)) before = character;
  }
  return undefined;
}
