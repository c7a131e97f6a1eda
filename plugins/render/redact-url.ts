const MAX_URL_LENGTH = 200;

/** Cuts user, query and fragment, which may hold secrets, the content of a data: URI, and what is too long for a message. */
export function redactUrl(url: string): string {
  const bare = url
    .replace(/^(data:[^,;]{0,60}).*$/s, '$1,…')
    .replace(/^(\w+:\/\/)[^/@]*@/, '$1')
    .replace(/[?#].*$/s, (rest) => (rest.startsWith('?') ? '?…' : ''));
  return bare.length > MAX_URL_LENGTH ? `${bare.slice(0, MAX_URL_LENGTH)}…` : bare;
}
