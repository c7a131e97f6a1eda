import { dirname } from 'node:path';
import type { FolderFiles } from './folder-files.ts';

/** A reference to a file that is not in the document. */
export interface LostReference {
  reference: string;
  reason: 'missing' | 'outside';
  /** The file that has the reference, and its line there, from 1. */
  file: string;
  line: number;
}

/** Where a text comes from, and the list that receives its lost references. */
export interface InlineContext {
  files: FolderFiles;
  /** The path of the file with the text; `undefined` for text that comes from no file of the folder. */
  path: string | undefined;
  /** How messages name the text. */
  name: string;
  lost: LostReference[];
}

/** An attribute with a URL, in quotation marks. */
const ATTRIBUTE =
  /\b(src|srcset|href|poster|background)(\s{0,10}=\s{0,10})(?:"([^"]{1,4000})"|'([^']{1,4000})')/gi;
/** Elements of SVG whose `href` names an image; the `href` of `link` depends on its `rel`. */
const LOADS_HREF = /^<(?:image|feimage)\b/i;
const LINK = /^<link\b/i;
/** Values of `rel` whose resource a browser loads; others, such as `canonical`, are links. */
const LOADING = new Set(['stylesheet', 'icon', 'apple-touch-icon', 'preload', 'modulepreload']);
const REL = /\brel\s{0,10}=/i;
/** How far from an attribute its tag may begin and end. */
const MAX_TAG_CHARACTERS = 4_000;
/** The tags of elements whose content is not HTML. */
const RAW_TAG = /<(\/?)(script|style)(?=[\s>/])/gi;
const STYLE_ATTRIBUTE = /\bstyle\s{0,10}=\s{0,10}["']/gi;
const MARKDOWN_IMAGE = /(!\[[^\]\n]{0,1000}\]\(\s{0,10}<?)([^\s)>]{1,2000})/g;
const CSS_URL =
  /(\burl\(\s{0,10}|@import\s{1,10}(?=["']))(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^"')\s]{1,2000}))/gi;
/** A list with such a URL has commas inside of it. */
const SCHEME_INSIDE = /data:/i;
/** Style sheets import each other at most this deep. */
const MAX_IMPORTS = 10;

/**
 * Replaces the references to files of the folder in HTML or a Handlebars template by their content, as
 * `data:` URLs. The rest of the text and its lines stay as they are.
 */
export function inlineHtml(html: string, context: InlineContext): string {
  const { script, style } = rawContents(html);
  const isRaw = insideOf([...script, ...style]);
  const withAttributes = inlineAttributes(html, context, (at) => !isRaw(at));
  return inlineCss(withAttributes, context, { isCss: insideOf(styleRanges(withAttributes)) });
}

/** Replaces the references in a partial, which may be part of a style sheet and have no tags. */
export function inlinePartial(source: string, context: InlineContext): string {
  return source.includes('<') ? inlineHtml(source, context) : inlineCss(source, context);
}

/** Replaces the references in a React component, whose code may have styles anywhere. */
export function inlineReact(code: string, context: InlineContext): string {
  return inlineCss(inlineAttributes(code, context), context);
}

function inlineAttributes(
  html: string,
  context: InlineContext,
  isAttribute: (at: number) => boolean = () => true,
): string {
  return html.replaceAll(
    ATTRIBUTE,
    (
      whole,
      name: string,
      equals: string,
      double: string | undefined,
      single: string | undefined,
      at: number,
    ) => {
      if (!isAttribute(at) || (/^href$/i.test(name) && !loadsHref(tagAt(html, at)))) return whole;
      const value = double ?? single ?? '';
      const embed = (reference: string) => embedded(reference, { ...context, text: html, at });
      const replaced = /^srcset$/i.test(name) ? replaceCandidates(value, embed) : (embed(value) ?? value);
      const mark = double === undefined ? "'" : '"';
      return `${name}${equals}${mark}${replaced}${mark}`;
    },
  );
}

/** Replaces the references to images in Markdown, and those in its HTML. */
export function inlineMarkdown(markdown: string, context: InlineContext): string {
  const withImages = markdown.replaceAll(
    MARKDOWN_IMAGE,
    (whole, start: string, reference: string, at: number) => {
      const url = embedded(reference, { ...context, text: markdown, at });
      return url === undefined ? whole : start + url;
    },
  );
  return inlineHtml(withImages, context);
}

/** Replaces the references in a style sheet, or in the places of a document for which `isCss` is true. */
function inlineCss(
  css: string,
  context: InlineContext,
  { depth = 0, isCss = () => true }: { depth?: number; isCss?: (at: number) => boolean } = {},
): string {
  return css.replaceAll(
    CSS_URL,
    (
      whole,
      start: string,
      double: string | undefined,
      single: string | undefined,
      bare: string | undefined,
      at: number,
    ) => {
      if (!isCss(at)) return whole;
      const reference = double ?? single ?? bare ?? '';
      const url = embedded(reference, { ...context, text: css, at }, depth);
      if (url === undefined) return whole;
      const mark = double === undefined ? (single === undefined ? '' : "'") : '"';
      return start + mark + url + mark;
    },
  );
}

/** A part of a text, from its first position to the one after its last. */
type Range = readonly [start: number, end: number];

function insideOf(ranges: readonly Range[]): (at: number) => boolean {
  return (at) => ranges.some(([start, end]) => at >= start && at < end);
}

/** Finds the contents of the elements `script` and `style`. */
function rawContents(html: string): Record<'script' | 'style', Range[]> {
  const found: Record<'script' | 'style', Range[]> = { script: [], style: [] };
  let open: { name: string; start: number } | undefined;
  const close = (end: number) => {
    if (open) found[open.name === 'script' ? 'script' : 'style'].push([open.start, end]);
    open = undefined;
  };
  for (const { index, 1: slash, 2: tag = '' } of html.matchAll(RAW_TAG)) {
    const name = tag.toLowerCase();
    if (open) {
      if (slash !== '' && name === open.name) close(index);
    } else if (slash === '') {
      const end = html.indexOf('>', index);
      open = { name, start: end < 0 ? html.length : end + 1 };
    }
  }
  // The end tag may be in another file.
  close(html.length);
  return found;
}

/** Finds the style sheets and the `style` attributes of a document. */
function styleRanges(html: string): Range[] {
  const { script, style } = rawContents(html);
  const isScript = insideOf(script);
  const attributes: Range[] = [];
  for (const { index, 0: start } of html.matchAll(STYLE_ATTRIBUTE)) {
    const end = html.indexOf(start.at(-1) ?? '', index + start.length);
    if (end >= 0 && !isScript(index)) attributes.push([index, end]);
  }
  return [...style, ...attributes];
}

/** Returns the tag in which an attribute is. */
function tagAt(html: string, at: number): string {
  const before = html.slice(Math.max(0, at - MAX_TAG_CHARACTERS), at);
  const after = html.slice(at, at + MAX_TAG_CHARACTERS);
  const end = after.indexOf('>');
  return before.slice(before.lastIndexOf('<')) + (end < 0 ? after : after.slice(0, end));
}

function loadsHref(tag: string): boolean {
  if (!LINK.test(tag)) return LOADS_HREF.test(tag);
  const { index, 0: name } = REL.exec(tag) ?? { index: 0, 0: tag };
  const value = tag.slice(index + name.length).trimStart();
  const mark = value.charAt(0);
  const isQuoted = mark === '"' || mark === "'";
  const types = (isQuoted ? value.slice(1).split(mark, 1) : value.split(/\s/, 1)).join('');
  return types
    .toLowerCase()
    .split(/\s/)
    .some((type) => LOADING.has(type));
}

/** Replaces the URLs of `srcset`, which are separated by commas and may have descriptors such as `2x`. */
function replaceCandidates(srcset: string, embed: (reference: string) => string | undefined): string {
  if (SCHEME_INSIDE.test(srcset)) return srcset;
  return srcset
    .split(',')
    .map((candidate) => {
      const [reference = '', ...descriptors] = candidate.trim().split(/\s+/);
      return [embed(reference) ?? reference, ...descriptors].join(' ');
    })
    .join(', ');
}

/** Returns the `data:` URL of a referenced file; `undefined` for a reference that stays as it is. */
function embedded(
  reference: string,
  { files, path, name, lost, text, at }: InlineContext & { text: string; at: number },
  depth = 0,
): string | undefined {
  const decoded = reference.replaceAll('&amp;', '&');
  const found = files.find(decoded, path === undefined ? files.root : dirname(path));
  if (found === undefined) return undefined;
  if (found.kind !== 'file') {
    lost.push({ reference, reason: found.kind, file: name, line: text.slice(0, at).split('\n').length });
    return undefined;
  }
  const isSheet = found.mediaType === 'text/css' && depth < MAX_IMPORTS;
  const inner = { files, path: found.path, name: files.nameOf(found.path), lost };
  const bytes = isSheet
    ? Buffer.from(inlineCss(found.bytes.toString(), inner, { depth: depth + 1 }))
    : found.bytes;
  const hash = decoded.indexOf('#');
  const fragment = hash < 0 ? '' : decoded.slice(hash);
  return `data:${found.mediaType};base64,${bytes.toString('base64')}${fragment}`;
}
