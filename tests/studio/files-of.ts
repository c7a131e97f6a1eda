import type { Page } from 'playwright-core';

/** Reads the PDF of a generation, under several names. */
export async function filesOf(
  page: Page,
  id: string,
  names: string[],
): Promise<{ name: string; mimeType: string; buffer: Buffer }[]> {
  const base64 = await page.evaluate(async (generation) => {
    const { url } = (await (await fetch(`/v1/generations/${generation}`)).json()) as { url: string };
    const bytes = new Uint8Array(
      await (await fetch(new URL(url).pathname + new URL(url).search)).arrayBuffer(),
    );
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, id);
  return names.map((name) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(base64, 'base64') }));
}
