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

/** Where a text comes from, and what receives its lost references. */
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
/** Elements whose `href` names a resource; other elements are links. */
const LOADS_HREF = /^<(?:link|image|feimage)\b/i;
/** How far before an attribute its tag may begin. */
const MAX_TAG_CHARACTERS = 4_000;
const MARKDOWN_IMAGE = /(!\[[^\]\n]{0,1000}\]\(\s{0,10}<?)([^\s)>]{1,2000})/g;
const CSS_URL =
  /(\burl\(\s{0,10}|@import\s{1,10}(?=["']))(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^"')\s]{1,2000}))/gi;
/** A list with such a URL has commas inside of it. */
const SCHEME_INSIDE = /data:/i;
/** Style sheets import each other at most this deep. */
const MAX_IMPORTS = 10;

/**
 * Replaces the references to files of the folder in HTML, JSX or a Handlebars template by their content, as
 * `data:` URLs. The rest of the text and its lines stay as they are.
 */
export function inlineHtml(html: string, context: InlineContext): string {
  const withAttributes = html.replaceAll(
    ATTRIBUTE,
    (
      whole,
      name: string,
      equals: string,
      double: string | undefined,
      single: string | undefined,
      at: number,
    ) => {
      if (/^href$/i.test(name) && !LOADS_HREF.test(tagAt(html, at))) return whole;
      const value = double ?? single ?? '';
      const embed = (reference: string) => embedded(reference, { ...context, text: html, at });
      const replaced = /^srcset$/i.test(name) ? replaceCandidates(value, embed) : (embed(value) ?? value);
      const mark = double === undefined ? "'" : '"';
      return `${name}${equals}${mark}${replaced}${mark}`;
    },
  );
  return inlineCss(withAttributes, context);
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

/** Replaces the references in a style sheet, or in the style sheets of a document. */
export function inlineCss(css: string, context: InlineContext, depth = 0): string {
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
      const reference = double ?? single ?? bare ?? '';
      const url = embedded(reference, { ...context, text: css, at }, depth);
      if (url === undefined) return whole;
      const mark = double === undefined ? (single === undefined ? '' : "'") : '"';
      return start + mark + url + mark;
    },
  );
}

/** Returns the start of the tag in which an attribute is. */
function tagAt(html: string, at: number): string {
  const before = html.slice(Math.max(0, at - MAX_TAG_CHARACTERS), at);
  return before.slice(before.lastIndexOf('<'));
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
  const bytes = isSheet ? Buffer.from(inlineCss(found.bytes.toString(), inner, depth + 1)) : found.bytes;
  const hash = decoded.indexOf('#');
  const fragment = hash < 0 ? '' : decoded.slice(hash);
  return `data:${found.mediaType};base64,${bytes.toString('base64')}${fragment}`;
}
