import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { StudioBrowser, type Visitor } from './browser.ts';
import { ALL_SCREENS, openScreen, screensOf } from './screens.ts';
import { seed, type Seeded } from './seed.ts';

let browser: StudioBrowser;
let owner: Visitor;
let seeded: Seeded;

beforeAll(async () => {
  browser = await StudioBrowser.start(ALL_SCREENS);
  owner = await browser.signIn({ role: 'operator' });
  seeded = await seed(owner);
}, 120_000);

afterAll(() => browser?.[Symbol.asyncDispose]());

/** Opens each screen and returns the faults by the names of the screens. */
async function faultsOfScreens(check: () => Promise<unknown[]>, isNarrow = false): Promise<object> {
  const faults: Record<string, unknown> = {};
  for (const screen of screensOf(seeded).filter((entry) => !isNarrow || entry.isNarrow)) {
    await openScreen(owner.page, screen);
    const found = await check();
    if (found.length > 0) faults[screen.name] = found;
  }
  return faults;
}

describe('every screen', () => {
  for (const theme of ['light', 'dark'] as const)
    test(`keeps WCAG 2.2 AA in the ${theme} theme`, async () => {
      await owner.page.emulateMedia({ colorScheme: theme });
      expect(await faultsOfScreens(() => owner.violations())).toEqual({});
    }, 240_000);

  test('fits a window of 360 px, if it is for reading', async () => {
    await owner.page.setViewportSize({ width: 360, height: 740 });
    const check = async () => [
      ...((await owner.overflows()) ? ['wider than the window'] : []),
      ...(await owner.violations()),
    ];
    expect(await faultsOfScreens(check, true)).toEqual({});
    await owner.page.setViewportSize({ width: 1280, height: 800 });
  }, 120_000);

  test('makes no request to another host and breaks no rule of its content security policy', async () => {
    expect(owner.offences).toEqual([]);
  });
});
