import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentError } from '../failures.ts';
import type { Client } from '../service/client.ts';
import { removeInside, writeInside } from '../templates/write-folder.ts';
import type { CheckedPage } from './case-result.ts';

/** A picture that an earlier run wrote. */
const PICTURE = /^page-\d+(?:-accepted|-diff)?\.png$/;

/**
 * Writes the pictures of the pages that differ: the page, the accepted page and the differences. Returns
 * their paths.
 */
export async function savePictures(
  client: Client,
  pages: readonly CheckedPage[],
  { accepted, output, folder }: { accepted: Uint8Array<ArrayBuffer> | null; output: string; folder: string },
): Promise<string[]> {
  const written: string[] = [];
  const save = (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    writeInside(output, path, bytes);
    written.push(join(output, path));
  };
  await using acceptedPages = await AcceptedPages.open(client, accepted);
  for (const { page, equal, image_url: image, diff_url: marked } of pages) {
    if (equal) continue;
    if (image) save(`page-${page}.png`, await client.bytes(image));
    const before = await acceptedPages.draw(page);
    if (before) save(`page-${page}-accepted.png`, before);
    if (marked) save(`page-${page}-diff.png`, await client.bytes(marked));
  }
  return written;
}

/** Deletes the pictures that an earlier run wrote about a case. */
export function clearPictures(output: string, folder: string): void {
  const path = join(output, folder);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(path)) if (PICTURE.test(name)) removeInside(output, join(folder, name));
}

/** Draws the accepted pages of a case, which the service stores for this time. */
class AcceptedPages implements AsyncDisposable {
  readonly #client: Client;
  readonly #id: string | undefined;

  private constructor(client: Client, id: string | undefined) {
    this.#client = client;
    this.#id = id;
  }

  static async open(client: Client, pdf: Uint8Array<ArrayBuffer> | null): Promise<AcceptedPages> {
    if (!pdf) return new AcceptedPages(client, undefined);
    const body = { file: Buffer.from(pdf).toString('base64') };
    const { id } = await client.json<{ id: string }>('POST /v1/files', { body });
    return new AcceptedPages(client, id);
  }

  /** Returns the image of a page; `undefined` if the accepted pages do not have it. */
  async draw(page: number): Promise<Uint8Array | undefined> {
    if (this.#id === undefined) return undefined;
    try {
      return await this.#client.bytes(`/v1/files/${this.#id}/pages/${page}.png`);
    } catch (error) {
      if (error instanceof DocumentError && error.httpStatus === 404) return undefined;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The failure that ends the command is the one to report.
    if (this.#id !== undefined)
      await this.#client.json(`DELETE /v1/files/${this.#id}`).catch(() => undefined);
  }
}
