import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { PageSettings } from './settings.ts';

/** The body of a POST request. */
export interface PostBody {
  contentType: string;
  data: Buffer;
}

/**
 * Returns the body of the request for a page; `undefined` for a GET request. Fields alone are sent as a form
 * (`application/x-www-form-urlencoded`), files as `multipart/form-data` (RFC 7578).
 * @throws if a file cannot be read
 */
export function multipartOf({ postFields, postFiles }: PageSettings): PostBody | undefined {
  if (postFiles.length > 0) return multipart({ postFields, postFiles });
  if (postFields.length === 0) return undefined;
  const form = new URLSearchParams();
  for (const [name, value] of postFields) form.append(name, value);
  return { contentType: 'application/x-www-form-urlencoded', data: Buffer.from(form.toString()) };
}

function multipart({ postFields, postFiles }: Pick<PageSettings, 'postFields' | 'postFiles'>): PostBody {
  const boundary = `platen-${crypto.randomUUID()}`;
  const part = (name: string, content: Uint8Array, file = '') => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  const parts = [
    ...postFields.flatMap(([name, value]) => part(name, Buffer.from(value))),
    ...postFiles.flatMap(([name, path]) =>
      part(
        name,
        readFileSync(path),
        `; filename="${quoted(basename(path))}"\r\nContent-Type: application/octet-stream`,
      ),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return { contentType: `multipart/form-data; boundary=${boundary}`, data: Buffer.concat(parts) };
}

/** Escapes a name as browsers do (WHATWG HTML, "multipart form data"). */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
