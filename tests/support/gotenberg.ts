import type { TestService } from './service/service.ts';
import { unzip } from './unzip.ts';

/** A part of a form: text, or a file with its name. A file that is a string is Latin-1. */
export type GotenbergPart =
  | readonly [field: string, text: string]
  | readonly [field: string, content: string | Uint8Array, fileName: string];

/** A response of a route of Gotenberg. */
export interface GotenbergResponse {
  status: number;
  headers: Headers;
  /** The text of an error, or of JSON. */
  text: string;
  /** The file, or the files of the archive. */
  files: { name: string; content: Buffer }[];
}

/** Creates the function that sends a form to a route of Gotenberg, with the key of the account. */
export function postGotenberg(service: () => TestService, prefix: string) {
  return async (
    route: string,
    parts: readonly GotenbergPart[],
    headers: Record<string, string> = {},
  ): Promise<GotenbergResponse> => {
    const { url, key } = service();
    const response = await fetch(`${url}/${prefix}${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: formOf(parts),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    const isText = !type.startsWith('application/pdf') && !type.startsWith('application/zip');
    return {
      status: response.status,
      headers: response.headers,
      text: isText ? bytes.toString('utf8') : '',
      files: isText ? [] : await filesOf(response.headers, bytes),
    };
  };
}

function formOf(parts: readonly GotenbergPart[]): FormData {
  const form = new FormData();
  for (const [field, content, fileName] of parts)
    if (fileName === undefined) form.append(field, content as string);
    else form.append(field, new Blob([Buffer.from(content as string, 'latin1')]), fileName);
  return form;
}

async function filesOf(headers: Headers, bytes: Buffer): Promise<GotenbergResponse['files']> {
  if (headers.get('content-type')?.startsWith('application/zip')) return unzip(bytes);
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return [{ name, content: bytes }];
}
