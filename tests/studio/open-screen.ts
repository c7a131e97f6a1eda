import type { Page } from 'playwright-core';

/** A screen: its URL, and the steps until it shows its content. */
export interface Screen {
  name: string;
  path: string;
  /** Whether the screen also works in a window of 360 px. */
  isNarrow?: boolean;
  open?: (page: Page) => Promise<void>;
}

/** Opens a screen and waits until nothing is being loaded. */
export async function openScreen(page: Page, { path, open }: Screen): Promise<void> {
  await page.goto(path);
  await open?.(page);
  await page.locator('main h1, main [aria-label="Name of the template"]').first().waitFor();
  await page.waitForFunction(isLoaded);
}

/** Tells whether nothing is being loaded. Runs in the page, where images are loaded when they come into view. */
export const isLoaded = (): boolean =>
  [...document.querySelectorAll('.skeleton')].every((element) => {
    const { top, width } = element.getBoundingClientRect();
    return top > window.innerHeight || width === 0;
  });
