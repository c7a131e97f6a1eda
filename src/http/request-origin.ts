/** A host name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Determines the origin at which a caller reached the service, such as `https://pdf.example.com`: the `Host`
 * header over http. Behind trusted reverse proxies, `X-Forwarded-Host` and `X-Forwarded-Proto` take
 * precedence. If there are several entries, the one that the outermost trusted proxy appended counts; proxies
 * that replace the header leave one. Callers can choose all of these headers, so the origin may only be used
 * in responses to the same caller. Returns `undefined` if no header names a valid host.
 */
export function requestOrigin(headers: Headers, trustedProxies: number): string | undefined {
  const forwarded = (name: string) =>
    trustedProxies === 0 ? undefined : entryOf(headers.get(name), trustedProxies);
  const host = [forwarded('x-forwarded-host'), headers.get('host')].find(isHost);
  if (!host) return undefined;
  const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return URL.parse(`${scheme}://${host}`)?.origin;
}

function isHost(text: string | null | undefined): text is string {
  return text != null && HOST.test(text) && URL.canParse(`http://${text}`);
}

function entryOf(value: string | null, trustedProxies: number): string | undefined {
  const entries = value?.split(',').map((entry) => entry.trim());
  return entries?.at(-trustedProxies) ?? entries?.[0];
}
