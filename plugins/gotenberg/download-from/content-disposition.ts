/** One parameter of the header: a token, a quoted text or, with `*`, an encoded text (RFC 8187). */
const PARAMETER = /;[ \t]*([!#$&'+.^_`|~\w-]+)(\*?)=(?:"((?:[^"\\]|\\[^])*)"|([^\s;"]*))[ \t]*/y;
const ENCODED = /^(?:UTF-8|ISO-8859-1)'[^']*'(.*)$/i;

/**
 * Reads the name of a file from a Content-Disposition header (RFC 6266). `filename*` is preferred.
 * @returns `undefined` if the header has none
 * @throws {Error} for a malformed header, with the message of Go's `mime.ParseMediaType`
 */
export function readFileName(header: string): string | undefined {
  const semicolon = header.indexOf(';');
  const type = (semicolon < 0 ? header : header.slice(0, semicolon)).trim();
  if (type === '') throw new Error('mime: no media type');
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(type)) throw new Error('mime: unexpected content after media type');
  let plain: string | undefined;
  let encoded: string | undefined;
  const rest = header.trimEnd();
  for (let at = semicolon; at >= 0 && at < rest.length; at = PARAMETER.lastIndex) {
    if (rest.slice(at).trim() === ';') break;
    PARAMETER.lastIndex = at;
    const [whole, name = '', star, quoted, token = ''] = PARAMETER.exec(rest) ?? [];
    if (whole === undefined) throw new Error('mime: invalid media parameter');
    if (name.toLowerCase() !== 'filename') continue;
    if (star) encoded = decode(token);
    else plain = quoted === undefined ? token : quoted.replaceAll(/\\([^])/g, '$1');
  }
  return encoded ?? (plain === undefined ? undefined : fromUtf8(plain));
}

function decode(text: string): string | undefined {
  const [, value] = ENCODED.exec(text) ?? [];
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Header values are read as ISO 8859-1, but many servers send UTF-8. */
function fromUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const isLatin = bytes.toString('latin1') === text;
  const decoded = bytes.toString('utf8');
  return isLatin && !decoded.includes('\uFFFD') ? decoded : text;
}
