import { presentAssetUrl } from '../assets/asset-urls.ts';
import { presentSiteUrl } from '../page/site.ts';

const MAX_URL_LENGTH = 200;

/** The maximum number of characters that are read. A page may request a thousand URLs of many kilobytes. */
const MAX_READ_LENGTH = 10_000;

/**
 * Removes the user, query and fragment of a URL, which may contain secrets, and the content of a data: URI.
 * Truncates long URLs. Presents the URL of an asset as `asset:…`, and of a file beside the
 * document as its name.
 */
export function redactUrl(url: string): string {
  const own = presentAssetUrl(url) ?? presentSiteUrl(url);
  if (own !== undefined) return own.slice(0, MAX_URL_LENGTH);
  const isTruncated = url.length > MAX_READ_LENGTH;
  const bare = url
    .slice(0, MAX_READ_LENGTH)
    .replace(/^(data:[^,;]{0,60}).*$/s, '$1,…')
    // The user part may continue beyond the characters that are read.
    .replace(isTruncated ? /^(\w+:\/\/)[^/@]*(?:@|$)/ : /^(\w+:\/\/)[^/@]*@/, '$1')
    .replace(/[?#].*$/s, (rest) => (rest.startsWith('?') ? '?…' : ''));
  return bare.length > MAX_URL_LENGTH ? `${bare.slice(0, MAX_URL_LENGTH)}…` : bare;
}
