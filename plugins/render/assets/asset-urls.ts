import { createHash } from 'node:crypto';

/**
 * The origin from which pages load assets. It does not exist: every request to it is answered by the service
 * itself, before it reaches the network. Chromium loads fonts, and resolves relative URLs in style sheets,
 * only with http and https, so `asset:` alone does not suffice.
 */
export const ASSET_ORIGIN = 'https://assets.platen.invalid';

const ACTIVE_CHARACTERS = 32;

const SPELLINGS = ['asset:', 'ASSET:', 'Asset:'];
const SPACE = 0x20;
const LESS_THAN = 0x3c;

/** The scheme by which documents refer to assets. */
export const ASSET_SCHEME = 'asset:';

/**
 * Returns the URL under which a document finds the assets of a revision. A document that does not know the
 * revision cannot name it.
 */
export function assetBase(revision: string): string {
  return `${ASSET_ORIGIN}/${revision}/`;
}

/** Like {@link assetBase}, for pages with scripts. The base of plain pages cannot be computed from it. */
export function activeBase(revision: string): string {
  return assetBase(createHash('sha256').update(revision).digest('hex').slice(0, ACTIVE_CHARACTERS));
}

/**
 * Encodes the name of an asset for a URL in HTML or CSS, without any special characters of these languages.
 */
export function encodeAssetName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

/** Decodes the name of an asset in a URL. Returns the text itself if its percent-encoding is malformed. */
export function decodeAssetName(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return text;
  }
}

/**
 * Tells whether a text may refer to an asset, in a usual spelling of the scheme. A regular expression that
 * ignores case is far slower.
 */
export function mentionsAssets(text: string): boolean {
  return SPELLINGS.some((spelling) => {
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
      const next = text.charCodeAt(at + spelling.length);
      if (next > SPACE && next !== LESS_THAN) return true;
    }
    return false;
  });
}

/**
 * Returns the base and the name in the URL of an asset; `undefined` for other URLs. Ignores the query and the
 * fragment.
 */
export function readAssetUrl(url: string): { base: string; name: string } | undefined {
  if (!url.startsWith(`${ASSET_ORIGIN}/`)) return undefined;
  const end = url.indexOf('/', ASSET_ORIGIN.length + 1) + 1;
  if (end === 0) return { base: url, name: '' };
  const [path = ''] = url.slice(end).split(/[?#]/, 1);
  return { base: url.slice(0, end), name: decodeAssetName(path) };
}

/** Presents the URL of an asset as documents write it; `undefined` for other URLs. */
export function presentAssetUrl(url: string): string | undefined {
  const parts = readAssetUrl(url);
  return parts && ASSET_SCHEME + parts.name;
}
