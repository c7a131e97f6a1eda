import { readFileSync } from 'node:fs';

/** A cookie of a cookie jar. */
export interface JarCookie {
  name: string;
  value: string;
  /** The host of the page if absent. */
  domain: string | undefined;
  path: string;
  isHttpOnly: boolean;
}

/** Reads a cookie jar: a line for each cookie, in the form of `Set-Cookie` (RFC 6265 4.1.1). */
export function readCookieJar(path: string): JarCookie[] {
  return parseCookieJar(readFileSync(path, 'utf8'));
}

/** Parses the text of a cookie jar. Lines that are no cookies are ignored. */
export function parseCookieJar(text: string): JarCookie[] {
  return text.split('\n').flatMap((line) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    if (at < 1) return [];
    const values = new Map(
      attributes.map((attribute) => {
        const [name = '', value = ''] = attribute.split('=', 2);
        return [name.trim().toLowerCase(), value.trim()] as const;
      }),
    );
    return [
      {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        domain: values.get('domain') || undefined,
        path: values.get('path') || '/',
        isHttpOnly: values.has('httponly'),
      },
    ];
  });
}
