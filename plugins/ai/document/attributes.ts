import { HTML_ATTRIBUTES, META_NAMES, SVG_ATTRIBUTES } from './elements.ts';
import { DocumentFault, quote } from './fault.ts';
import { hasMarker, isMarker, type Outline } from './outline.ts';
import { requireInertStyles } from './styles.ts';

/** An attribute as the tokenizer gives it: name in lower case, entities of the value decoded. */
export interface DocumentAttribute {
  element: string;
  name: string;
  value: string;
  isSvg: boolean;
}

const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:|#)/i;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[\w+/=\s]*$/i;
/** What refers to nothing, since a document has no address: a name or the like that stands for an image or link in a sample. */
const NO_URL = /^[^:/\\]*$/;
const NAMESPACES = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1999/xlink',
]);
const SENDS = new Set(['action', 'formaction', 'form', 'formmethod', 'ping']);
const LOADS = new Set([
  'src',
  'srcset',
  'imagesrcset',
  'background',
  'poster',
  'data',
  'href',
  'xlink:href',
  'manifest',
  'lowsrc',
  'dynsrc',
]);

/**
 * Refuses an attribute that is not known to be inert, and a value that runs or loads something, or could with what a tag writes.
 * @param outline of the template; none for a document that is rendered: then what a tag wrote is in it
 * @throws {DocumentFault}
 */
export function requireInertAttribute(attribute: DocumentAttribute, outline?: Outline): void {
  const { element, name, value, isSvg } = attribute;
  if (name === 'href' && element === 'a' && !isSvg) return requireLink(value, outline);
  if (name === 'src' && element === 'img') return requireImage(value, outline);
  if (element === 'meta') return requireMeta(name, value);
  const known = isSvg ? SVG_ATTRIBUTES : HTML_ATTRIBUTES;
  if (!known.has(name) && !/^(?:aria|data)-[a-z\d-]+$/.test(name)) throw refused(element, name);
  if (name.startsWith('xmlns') && !NAMESPACES.has(value)) throw refused(element, name);
  if (name === 'style' || isSvg) requireInertStyles(value);
}

function refused(element: string, name: string): DocumentFault {
  const where = `${quote(name)} of <${element}>`;
  if (name.startsWith('on'))
    return new DocumentFault('an event handler', `there is the event handler ${where}`);
  if (SENDS.has(name)) return new DocumentFault('a form', `there is the attribute ${where}`);
  if (LOADS.has(name)) return new DocumentFault('a remote asset', `there is the attribute ${where}`);
  return new DocumentFault(
    'an element or attribute that is not allowed',
    `the attribute ${where} is not allowed`,
  );
}

function requireLink(value: string, outline: Outline | undefined): void {
  if (SAFE_LINK.test(value) || isOneField(value, outline)) return;
  if (!outline && NO_URL.test(value)) return;
  throw new DocumentFault(
    'an unsafe link',
    `the link ${quote(value)} must begin with https://, mailto:, tel: or #, or be one variable and nothing else`,
  );
}

function requireImage(value: string, outline: Outline | undefined): void {
  if (IMAGE.test(value) || isOneField(value, outline)) return;
  if (!outline && NO_URL.test(value)) return;
  throw new DocumentFault(
    'a remote asset',
    `the image ${quote(value)} must be a data: URI in base64 (no SVG), or one variable and nothing else`,
  );
}

function isOneField(value: string, outline: Outline | undefined): boolean {
  if (!outline || !isMarker(value)) return false;
  const [tag] = outline.tagsIn(value);
  return tag?.kind === 'value' && tag.isField;
}

function requireMeta(name: string, value: string): void {
  const isKnown =
    (name === 'charset' && /^utf-?8$/i.test(value)) ||
    (name === 'name' && META_NAMES.has(value.toLowerCase())) ||
    name === 'content';
  if (isKnown && !(name !== 'content' && hasMarker(value))) return;
  throw new DocumentFault(
    'an element or attribute that is not allowed',
    `<meta ${name}=${quote(value)}> is not allowed; there may be charset="utf-8", and name="viewport", "author" or "description"`,
  );
}
