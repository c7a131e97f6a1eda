const MAX_URL_LENGTH = 200;

/** How much of a URL is read; a page may ask for URLs of many kilobytes, a thousand times. */
const MAX_READ_LENGTH = 10_000;

/** Cuts user, query and fragment, which may hold secrets, the content of a data: URI, and what is too long for a message. */
export function redactUrl(url: string): string {
  const isCut = url.length > MAX_READ_LENGTH;
  const bare = url
    .slice(0, MAX_READ_LENGTH)
    .replace(/^(data:[^,;]{0,60}).*$/s, '$1,…')
    // In the part that is read, a user may have no end.
    .replace(isCut ? /^(\w+:\/\/)[^/@]*(?:@|$)/ : /^(\w+:\/\/)[^/@]*@/, '$1')
    .replace(/[?#].*$/s, (rest) => (rest.startsWith('?') ? '?…' : ''));
  return bare.length > MAX_URL_LENGTH ? `${bare.slice(0, MAX_URL_LENGTH)}…` : bare;
}
