import { decodeAssetName, encodeAssetName } from './asset-urls.ts';

// The functions in this file run in the sandbox.

/**
 * HTML that refers to assets. The document is in UTF-8, so that the service can encode and decode it in
 * slices.
 */
export interface AssetDocument {
  html: Uint8Array | undefined;
  headersAndFooters: readonly (string | undefined)[];
}

/** Attributes with a list of URLs. */
const LISTS = new Set(['srcset', 'imagesrcset']);

/** Attributes with the URL of a resource that is loaded. */
const LOADING = new Set(['src', 'href', 'xlink:href', 'poster', 'data', 'background']);

/** Elements whose `href` is a link, which the PDF would contain. */
const LINKING = new Set(['a', 'area', 'base']);

const ASSET_URL = /^\s*asset:/i;

const REFERENCE = /&(amp|apos|#(\d{1,5})|#x([\da-f]{1,4}));/gi;

/** A reference in a list of URLs and sizes. */
const IN_LIST = /(^|[\s,])asset:([^\s,]+)/gi;

/** A reference in CSS: in `url()`, `src()`, `@import` and the first string of `image-set()`. */
const IN_CSS = /((?:url\(|src\(|@import|image-set\()\s*["']?)asset:([^"')\s]+)/gi;

/**
 * Replaces the references to assets (`asset:logo.png`) by URLs below `base`, in attributes, style attributes
 * and style elements. Other markup and all text stay as they are. References that only a script or an escape
 * produces are left to the page.
 */
export function replaceAssetUrls({
  html,
  headersAndFooters,
  base,
}: AssetDocument & { base: string }): AssetDocument {
  const replaced = html && replaceIn(new TextDecoder('utf-8', { ignoreBOM: true }).decode(html), base);
  return {
    html: replaced === undefined ? undefined : Buffer.from(replaced),
    headersAndFooters: headersAndFooters.map((text) => text && replaceIn(text, base)),
  };
}

function replaceIn(html: string, base: string): string {
  const inCss = (css: string) =>
    css.replaceAll(IN_CSS, (_, before: string, reference: string) => before + urlOf(base, reference));
  const inList = (list: string) =>
    list.replaceAll(IN_LIST, (_, before: string, reference: string) => before + urlOf(base, reference));
  let css = '';
  return new HTMLRewriter()
    .on('*', {
      element(element) {
        for (const [name = '', value = ''] of element.attributes) {
          if (!/asset:/i.test(value)) continue;
          const attribute = name.toLowerCase();
          if (attribute === 'style') element.setAttribute(name, inCss(value));
          else if (LISTS.has(attribute)) element.setAttribute(name, inList(value));
          else if (loads(element.tagName.toLowerCase(), attribute) && ASSET_URL.test(value))
            element.setAttribute(name, urlOf(base, decodeReferences(value.replace(ASSET_URL, ''))));
        }
      },
    })
    .on('style', {
      text(chunk) {
        css += chunk.text;
        if (!chunk.lastInTextNode) return void chunk.remove();
        chunk.replace(inCss(css), { html: true });
        css = '';
      },
    })
    .transform(html);
}

function loads(element: string, attribute: string): boolean {
  return LOADING.has(attribute) && !LINKING.has(element);
}

/** Decodes the character references that names of assets may need in an attribute. */
function decodeReferences(text: string): string {
  return text.replaceAll(REFERENCE, (_, name: string, decimal?: string, hex?: string) => {
    if (decimal === undefined && hex === undefined) return name.toLowerCase() === 'amp' ? '&' : "'";
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Returns the URL of a reference, with its fragment. */
function urlOf(base: string, reference: string): string {
  const [path = ''] = reference.trim().split(/[?#]/, 1);
  const fragment = reference.indexOf('#');
  return base + encodeAssetName(decodeAssetName(path)) + (fragment < 0 ? '' : reference.slice(fragment));
}
