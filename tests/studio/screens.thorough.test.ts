import { beforeAll, describe, expect, test } from 'bun:test';
import { openScreen } from './open-screen.ts';
import { ALL_SCREENS, screensOf } from './screens.ts';
import { seed, type Seeded } from './seed.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio({ ...ALL_SCREENS, role: 'operator' });
let seeded: Seeded;

beforeAll(async () => {
  seeded = await seed(studio.owner);
}, 120_000);

/** Opens each screen and returns its faults, keyed by the name of the screen. */
async function faultsOfScreens(check: () => Promise<unknown[]>, isNarrow = false): Promise<object> {
  const faults: Record<string, unknown> = {};
  for (const screen of screensOf(seeded).filter((entry) => !isNarrow || entry.isNarrow)) {
    await openScreen(studio.owner.page, screen);
    const found = await check();
    if (found.length > 0) faults[screen.name] = found;
  }
  return faults;
}

describe('every screen', () => {
  test('conforms to WCAG 2.2 AA in both themes', async () => {
    const { page } = studio.owner;
    const check = async () => {
      const found: unknown[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        found.push(...(await studio.owner.violations()).map((violation) => [colorScheme, violation]));
      }
      return found;
    };
    expect(await faultsOfScreens(check)).toEqual({});
  }, 480_000);

  test('fits a window of 360 px, if the screen supports narrow windows', async () => {
    await studio.owner.page.setViewportSize({ width: 360, height: 740 });
    const check = async () => [
      ...((await studio.owner.overflows()) ? ['wider than the window'] : []),
      ...(await studio.owner.violations()),
    ];
    expect(await faultsOfScreens(check, true)).toEqual({});
    await studio.owner.page.setViewportSize({ width: 1280, height: 800 });
  }, 240_000);

  test('makes no request to another host and breaks no rule of its content security policy', async () => {
    expect(studio.owner.offences).toEqual([]);
  });
});
