import type { TestService } from '../service/service.ts';

/** A file of a form: its name, its content, and its field (`files` when absent). */
export interface FormFile {
  name: string;
  content: string | Uint8Array;
  field?: string;
}

/** A response that has been read. */
export interface Answer {
  status: number;
  headers: Headers;
  type: string | null;
  text: string;
  bytes: Uint8Array;
}

/** Posts a form as clients of Gotenberg do. The key is that of the service unless the headers have another. */
export async function postForm(
  { url, key }: Pick<TestService, 'url' | 'key'>,
  path: string,
  {
    fields = {},
    files = [],
    headers = {},
  }: {
    fields?: Readonly<Record<string, string>>;
    files?: readonly FormFile[];
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const body = new FormData();
  for (const [name, text] of Object.entries(fields)) body.append(name, text);
  for (const { name, content, field = 'files' } of files)
    body.append(field, new Blob([content as Uint8Array<ArrayBuffer>]), name);
  const authorization = { authorization: `Bearer ${key}` };
  const sent = 'authorization' in headers ? headers : { ...authorization, ...headers };
  const withoutEmpty = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  return read(await fetch(`${url}/${path}`, { method: 'POST', body, headers: withoutEmpty }));
}

/** Reads a response. */
export async function read(response: Response): Promise<Answer> {
  const bytes = await response.bytes();
  return {
    status: response.status,
    headers: response.headers,
    type: response.headers.get('content-type'),
    text: Buffer.from(bytes).toString(),
    bytes,
  };
}

/** Returns the header of basic authentication. */
export function basic(name: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}
