import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestService } from '../service/service.ts';

/** Encodes a PDF in base64; a string is Latin-1. */
export function base64(pdf: string | Uint8Array): string {
  return Buffer.from(pdf as string, typeof pdf === 'string' ? 'latin1' : undefined).toString('base64');
}

/** Writes PDFs into a new folder, and deletes it after the work. */
export function withPdfFiles<T>(
  pdfs: readonly Uint8Array[],
  use: (paths: [string, ...string[]], folder: string) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'platen-operation-'));
  try {
    const [first = '', ...others] = pdfs.map((pdf, index) => {
      const path = join(folder, `file-${index}.pdf`);
      writeFileSync(path, pdf);
      return path;
    });
    return use([first, ...others], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a program on a file, and returns its output. `{}` in the arguments is replaced with the path. */
export function runOn(pdf: Uint8Array, command: readonly string[]): string {
  return withPdfFiles([pdf], ([path], folder) => {
    const { stdout, stderr } = Bun.spawnSync(
      command.map((argument) => argument.replace('{}', path)),
      { cwd: folder },
    );
    return stdout.toString() + stderr.toString();
  });
}

/** Calls one operation of `/v1/pdf`. */
export class OperationClient {
  readonly #service: () => TestService;
  readonly #operation: string;

  constructor(service: () => TestService, operation: string) {
    this.#service = service;
    this.#operation = operation;
  }

  post(pdf: string | Uint8Array, fields: object) {
    return this.#service().post(`/v1/pdf/${this.#operation}`, { pdf: base64(pdf), ...fields });
  }

  /** Sends a request and returns the JSON of its response. @throws {Error} unless it is 200 */
  async read(pdf: string | Uint8Array, fields: object = {}) {
    const { status, body } = await this.post(pdf, fields);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Sends a request and returns the PDF of its response. @throws {Error} unless it is 200 */
  async write(pdf: string | Uint8Array, fields: object): Promise<Buffer> {
    const { data } = await this.read(pdf, { output: 'base64', ...fields });
    return Buffer.from(data, 'base64');
  }

  /** Returns `path: message` of a rejected request. */
  async rejection(pdf: string | Uint8Array, fields: object): Promise<string> {
    return rejectionOf(await this.post(pdf, fields));
  }
}

/** Returns `path: message` of the first detail of a 400, or the status of any other response. */
export function rejectionOf({ status, body }: { status: number; body: { error?: unknown } }): string {
  const error = body.error as { details?: { path: string; message: string }[] } | undefined;
  const [detail] = error?.details ?? [];
  return status === 400 && detail ? `${detail.path}: ${detail.message}` : `status ${status}`;
}
