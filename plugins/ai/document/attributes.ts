import { HTML_ATTRIBUTES, META_NAMES, SVG_ATTRIBUTES } from './elements.ts';
import { DocumentFault, quote } from './fault.ts';
import { hasMarker, isMarker, type MarkedText } from './marked-text.ts';
import { requireInertStyles } from './styles.ts';

/**
 * An attribute from the tokenizer: the name is in lower case and the character references of the value are
 * decoded.
 */
interface DocumentAttribute {
  element: string;
  name: string;
  value: string;
  isSvg: boolean;
}

const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:|#)/i;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[\w+/=\s]*$/i;
/**
 * A value that refers to nothing because the document has no base URL, such as the placeholder for an image
 * or link in sample data.
 */
const NO_URL = /^[^:/\\]*$/;
const NAMESPACES = new Set([
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1999/xlink',
]);
const SUBMITTING = new Set(['action', 'formaction', 'form', 'formmethod', 'ping']);
const LOADING = new Set([
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
 * Rejects an attribute that is not on the allow-list, and a value that runs or loads something or could do so
 * once its Handlebars tags are replaced.
 * @param template the template that the attribute belongs to; absent for a rendered document, whose tags are
 * already replaced
 * @throws {DocumentFault}
 */
export function requireInertAttribute(attribute: DocumentAttribute, template?: MarkedText): void {
  const { element, name, value, isSvg } = attribute;
  if (name === 'href' && element === 'a' && !isSvg) return requireLink(value, template);
  if (name === 'src' && element === 'img') return requireImage(value, template);
  if (element === 'meta') return requireMeta(name, value);
  const known = isSvg ? SVG_ATTRIBUTES : HTML_ATTRIBUTES;
  if (!known.has(name) && !/^(?:aria|data)-[a-z\d-]+$/.test(name)) throw notAllowed(element, name);
  if (name.startsWith('xmlns') && !NAMESPACES.has(value)) throw notAllowed(element, name);
  if (name === 'style' || isSvg) requireInertStyles(value);
}

function notAllowed(element: string, name: string): DocumentFault {
  const where = `${quote(name)} of <${element}>`;
  if (name.startsWith('on'))
    return new DocumentFault('an event handler', `the event handler ${where} is not allowed`);
  if (SUBMITTING.has(name)) return new DocumentFault('a form', `the attribute ${where} is not allowed`);
  if (LOADING.has(name)) return new DocumentFault('a remote asset', `the attribute ${where} is not allowed`);
  return new DocumentFault(
    'an element or attribute that is not allowed',
    `the attribute ${where} is not allowed`,
  );
}

function requireLink(value: string, template: MarkedText | undefined): void {
  if (SAFE_LINK.test(value) || isOneField(value, template)) return;
  if (!template && NO_URL.test(value)) return;
  throw new DocumentFault(
    'an unsafe link',
    `the link ${quote(value)} must begin with https://, mailto:, tel: or #, or be a single variable`,
  );
}

function requireImage(value: string, template: MarkedText | undefined): void {
  if (IMAGE.test(value) || isOneField(value, template)) return;
  if (!template && NO_URL.test(value)) return;
  throw new DocumentFault(
    'a remote asset',
    `the image ${quote(value)} must be a base64 data: URI that is not SVG, or a single variable`,
  );
}

function isOneField(value: string, template: MarkedText | undefined): boolean {
  if (!template || !isMarker(value)) return false;
  const [tag] = template.tagsIn(value);
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
    `<meta ${name}=${quote(value)}> is not allowed; use charset="utf-8" or name="viewport", "author" or "description"`,
  );
}
