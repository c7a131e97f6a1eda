import { decodeXml, encodeXml, type TreeElement } from '@platen/xml';
import { rawText } from './tree.ts';

/** A value of the data, or the result of a helper, in a filled part. */
export interface FilledValue {
  kind: 'text' | 'number' | 'boolean' | 'svg';
  text: string;
}

const KINDS: Readonly<Record<string, FilledValue['kind']>> = {
  s: 'text',
  n: 'number',
  b: 'boolean',
  m: 'svg',
};

/** The name of the elements that `writeValue` writes. */
export const VALUE = 'platen:v';

// oxlint-disable-next-line eslint/no-control-regex -- XML 1.0 does not allow these characters
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Writes a value as an element that keeps its type. Markup of helpers becomes text, or a drawing. */
export function writeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number') return Number.isFinite(value) ? made('n', String(value)) : '';
  if (typeof value === 'boolean') return made('b', String(value));
  const html = htmlOf(value);
  // As in HTML templates, a list is its values with commas.
  // oxlint-disable-next-line typescript/no-base-to-string -- an object in a text is the author's mistake
  if (html === undefined) return made('s', String(value));
  return html.startsWith('<svg') ? made('m', html) : made('s', textOfHtml(html));
}

function made(kind: string, text: string): string {
  if (text === '') return '';
  return `<${VALUE} k="${kind}">${encodeXml(text.toWellFormed().replaceAll(FORBIDDEN, ''))}</${VALUE}>`;
}

function htmlOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('toHTML' in value)) return undefined;
  const { toHTML } = value;
  return typeof toHTML === 'function' ? String(toHTML.call(value)) : undefined;
}

/** Returns the text of the markup that `nl2br` makes. */
function textOfHtml(html: string): string {
  return decodeXml(html.replaceAll('<br>', '\n'));
}

/** Reads an element that {@link writeValue} wrote. */
export function readValue(node: TreeElement): FilledValue {
  return { kind: KINDS[node.attributes.get('k') ?? ''] ?? 'text', text: decodeXml(rawText(node)) };
}
