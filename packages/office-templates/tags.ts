import { decodeXml, encodeXml, type TreeElement, type TreeNode } from '@platen/xml';
import { parseSyntax } from '@platen/templates/handlebars-parser';
import { quote, tagFault } from './fault.ts';
import { element } from './tree.ts';

/** A tag of Handlebars in the text of a file. */
export interface Tag {
  kind: 'open' | 'else' | 'close' | 'value';
  /** The name of the block that the tag opens or closes. */
  name: string;
  /** The tag as the author wrote it, on one line. */
  written: string;
  /** The tag as it stands in the Handlebars template. */
  source: string;
  /** Where the tag is in the file, such as `table 1, row 2`. */
  place: string;
}

/** The name of the elements that stand for tags in a tree. It cannot be the name of an element of XML. */
const TAG = '{{}}';
const tags = new WeakMap<TreeElement, Tag>();

/** Returns the tag that an element stands for; `undefined` for an element of the file. */
export function tagOf(node: TreeNode | undefined): Tag | undefined {
  return typeof node === 'object' && node.name === TAG ? tags.get(node) : undefined;
}

const OPTIONS = ['width', 'height', 'alt'];

/**
 * Finds the tags in the text elements of a paragraph or cell, and puts an element for each into the text
 * element in which it begins, even if the tag continues in others.
 * @throws {OfficeFault} for a tag that is not closed, or that office files do not have
 */
export function markTags(texts: readonly TreeElement[], place: string): void {
  const pieces = texts.map((text) =>
    decodeXml(text.children.filter((child) => typeof child === 'string').join('')),
  );
  const whole = pieces.join('');
  if (!whole.includes('{{')) return;
  const found = findTags(whole, place);
  // Otherwise, office programs drop the spaces beside a tag.
  for (const { name, attributes } of texts) if (name !== 'a:t') attributes.set('xml:space', 'preserve');
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const end = start + (pieces[index]?.length ?? 0);
    const children: TreeNode[] = [];
    let at = start;
    for (const { from, to, node } of found) {
      if (to <= at || from >= end) continue;
      if (from > at) children.push(encodeXml(whole.slice(at, from)));
      if (from >= start) children.push(node);
      at = Math.min(to, end);
    }
    if (at < end) children.push(encodeXml(whole.slice(at, end)));
    text.children = children;
    start = end;
  }
}

/** A tag, or a text that takes the place of an escaped one, and its position in the text. */
interface FoundTag {
  from: number;
  to: number;
  node: TreeNode;
}

function findTags(text: string, place: string): FoundTag[] {
  const found: FoundTag[] = [];
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    if (text[at - 1] === '\\') {
      found.push({ from: at - 1, to: at + 2, node: '{{' });
      at += 2;
      continue;
    }
    const isComment = /^\{\{~?!--/.test(text.slice(at, at + 6));
    const end = isComment ? text.indexOf('--}}', at) + 4 : endOfTag(text, at + 2);
    if (end < 4) throw tagFault(place, `the tag ${quote(text.slice(at, at + 40))} is not closed by "}}"`);
    const tag = readTag(straighten(text.slice(at, end)), place);
    found.push({ from: at, to: end, node: tag ? nodeOf(tag) : '' });
    at = end;
  }
  return found;
}

function nodeOf(tag: Tag): TreeElement {
  const node = element(TAG);
  tags.set(node, tag);
  return node;
}

/** Returns the position after the `}}` that closes a tag, outside of its strings; 0 if there is none. */
function endOfTag(text: string, from: number): number {
  let mark = '';
  for (let at = from; at < text.length; at += 1) {
    const character = QUOTES[text[at] ?? ''] ?? text[at];
    if (mark !== '') {
      if (character === mark) mark = '';
    } else if (character === '"' || character === "'") mark = character;
    else if (text.startsWith('}}', at)) return text[at + 2] === '}' ? at + 3 : at + 2;
    else if (text.startsWith('{{', at)) return 0;
  }
  return 0;
}

/** Office programs replace straight quotes while one types. */
const QUOTES: Readonly<Record<string, string>> = {
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
};

function straighten(tag: string): string {
  return tag
    .replaceAll(/[\u201c-\u201e\u00ab\u00bb\u2018-\u201a]/g, (mark) => QUOTES[mark] ?? mark)
    .replaceAll(/[\s\u00a0\u200b]+/g, ' ');
}

/** Reads a tag; `undefined` for a comment. @throws {OfficeFault} */
function readTag(written: string, place: string): Tag | undefined {
  const [, sign = '', rest = ''] = /^\{\{\{?~?\s?([#/^!>&*]|)\s?(.*?)\s?~?\}\}\}?$/s.exec(written) ?? [];
  const [name = ''] = /^[^\s}~|]*/.exec(rest) ?? [];
  const tag = { name, written, source: written, place };
  const refuse = (why: string) => tagFault(place, `${quote(written)} ${why}`);
  if (written.startsWith('{{{{')) throw refuse('is a raw block, which office files do not have');
  if (sign === '!') return undefined;
  if (sign === '>' || /^#\s?>/.test(sign + rest))
    throw refuse('calls a partial, which office files do not have');
  if (sign === '*' || /^#\s?\*/.test(sign + rest))
    throw refuse('is a decorator, which office files do not have');
  if (sign === '/') return { ...tag, kind: 'close' };
  if (sign === '^') return { ...tag, kind: name === '' ? 'else' : 'open' };
  if (sign === '#') {
    if (name === 'lookup') throw refuse('cannot open a block');
    return { ...tag, kind: 'open' };
  }
  if (name === 'else') return { ...tag, kind: 'else' };
  // Office files have no markup to print, so all values are text.
  const source = `{{${rest}}}`;
  if (name === 'image' && rest.length > name.length)
    return { ...tag, kind: 'value', source: imageSource(rest, place) };
  return { ...tag, kind: 'value', source };
}

/** Converts `image logo width="30mm"` to the elements that `images.ts` reads. @throws {OfficeFault} */
function imageSource(expression: string, place: string): string {
  const tag = `{{${expression}}}`;
  const [mustache] = parse(tag, place).body;
  if (mustache?.type !== 'MustacheStatement') throw tagFault(place, `${quote(tag)} is not a tag`);
  const { params, hash } = mustache as hbs.AST.MustacheStatement;
  const [picture] = params;
  if (!picture || params.length > 1)
    throw tagFault(place, `the helper "image" takes one argument: {{image logo width="30mm"}}`);
  const pairs = (hash as hbs.AST.Hash | undefined)?.pairs ?? [];
  const unknown = pairs.find(({ key }) => !OPTIONS.includes(key));
  if (unknown)
    throw tagFault(
      place,
      `the helper "image" takes only the options ${OPTIONS.join(', ')}, not ${quote(unknown.key)}`,
    );
  const parts = pairs.map(({ key, value }) => `<platen:${key}>${valueSource(value, tag)}</platen:${key}>`);
  return `<platen:image place="${encodeLiteral(encodeXml(place))}"><platen:source>${valueSource(picture, tag)}</platen:source>${parts.join('')}</platen:image>`;
}

function parse(tag: string, place: string): hbs.AST.Program {
  try {
    return parseSyntax(tag);
  } catch {
    throw tagFault(place, `${quote(tag)} is not a tag of Handlebars`);
  }
}

/** Returns the source that prints an argument. */
function valueSource({ type, loc, ...argument }: hbs.AST.Expression, tag: string): string {
  const text = tag.slice(loc.start.column, loc.end.column);
  if (type === 'PathExpression') return `{{${text}}}`;
  if (type === 'SubExpression') return `{{${text.replace(/^\(\s?/, '').replace(/\s?\)$/, '')}}}`;
  const value: unknown = Reflect.get(argument, 'value');
  return encodeLiteral(encodeXml(String(value)));
}

/** Writes XML so that Handlebars finds no tag in it. */
export function encodeLiteral(xml: string): string {
  return xml.replaceAll('{', '&#123;').replaceAll('\\', '&#92;');
}
