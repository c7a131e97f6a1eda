import { afterAll, beforeAll } from 'bun:test';
import type { TestSettings } from '../support/service/service.ts';
import { StudioBrowser, type Visitor } from './browser.ts';

/** The studio that the tests of a file share. Its properties are available while tests run. */
export interface SharedStudio {
  readonly browser: StudioBrowser;
  /** The first account, signed in. */
  readonly owner: Visitor;
}

/**
 * Starts a service and a browser before the tests of a file, signs an account in, and stops both afterwards.
 */
export function shareStudio({
  role = 'owner',
  ...settings
}: TestSettings & { role?: 'owner' | 'operator' } = {}): SharedStudio {
  let browser: StudioBrowser | undefined;
  let owner: Visitor | undefined;
  beforeAll(async () => {
    browser = await StudioBrowser.start(settings);
    owner = await browser.signIn({ role });
  }, 120_000);
  afterAll(() => browser?.[Symbol.asyncDispose](), 60_000);
  return {
    get browser() {
      return started(browser);
    },
    get owner() {
      return started(owner);
    },
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the studio is used before the tests run');
  return part;
}
