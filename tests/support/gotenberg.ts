import type { TestService } from './service/service.ts';
import { qpdfCheck } from './pdf/pdf.ts';
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

/** Sends forms to routes of Gotenberg, with the key of the account. */
export class GotenbergClient {
  readonly #service: () => TestService;
  readonly #prefix: string;

  constructor(service: () => TestService, prefix: string) {
    this.#service = service;
    this.#prefix = prefix;
  }

  readonly post = async (
    route: string,
    parts: readonly GotenbergPart[],
    headers: Record<string, string> = {},
  ): Promise<GotenbergResponse> => {
    const { url, key } = this.#service();
    const response = await fetch(`${url}/${this.#prefix}${route}`, {
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

  /** Returns the PDFs of a response, which qpdf accepts. @throws {Error} unless it is 200 */
  readonly made = async (
    route: string,
    parts: readonly GotenbergPart[],
  ): Promise<GotenbergResponse['files']> => {
    const { status, text, files } = await this.post(route, parts);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    for (const { name, content } of files) {
      if (!name.endsWith('.pdf')) throw new Error(`the response has the file ${name}`);
      await qpdfCheck(content);
    }
    return files;
  };

  /** Returns the only PDF of a response, which qpdf accepts. */
  readonly madeOne = async (route: string, parts: readonly GotenbergPart[]): Promise<Buffer> => {
    const [file, second] = await this.made(route, parts);
    if (!file || second) throw new Error('the response has not one PDF');
    return file.content;
  };

  /** Returns the status and the text of an error. */
  readonly rejection = async (route: string, parts: readonly GotenbergPart[]): Promise<string> => {
    const { status, text, headers } = await this.post(route, parts);
    const type = headers.get('content-type');
    return type === 'text/plain; charset=UTF-8' ? `${status} ${text}` : `${status} ${type}`;
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
