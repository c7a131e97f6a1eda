import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/studio/studio.ts';

/** A screen: its URL, and the steps until it shows its content. */
export interface Screen {
  name: string;
  path: string;
  /** Whether the screen also works in a window of 360 px. */
  isNarrow?: boolean;
  open?: (page: Page) => Promise<void>;
}

/** Opens a screen and waits until nothing is being loaded. */
export async function openScreen(page: Page, { name, path, open }: Screen): Promise<void> {
  await page.goto(path);
  await open?.(page);
  await page.locator('main h1, main [aria-label="Name of the template"]').first().waitFor();
  await page.waitForFunction(isLoaded).catch((cause: unknown) => {
    throw new Error(`The screen ${name} is still loading`, { cause });
  });
}

/**
 * Confirms the identity of the person. A sign-in counts as a confirmation for five minutes, and the screens
 * before may take longer.
 */
export async function confirmIdentity(page: Page): Promise<void> {
  const status = await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ password });
    return (await fetch('/studio/api/session/confirm', { method: 'POST', headers, body })).status;
  }, PASSWORD);
  if (status !== 204) throw new Error(`The identity was not confirmed: status ${status}`);
}

/**
 * Tells whether nothing in the window is being loaded. Runs in the page, which loads an image only when it
 * comes into view: a screen that was scrolled at once never loads the images above the window.
 */
export const isLoaded = (): boolean =>
  [...document.querySelectorAll('.skeleton')].every((element) => {
    const { top, bottom, left, right, width } = element.getBoundingClientRect();
    const isBesideWindow = right <= 0 || left >= window.innerWidth;
    return width === 0 || bottom <= 0 || top >= window.innerHeight || isBesideWindow;
  });
