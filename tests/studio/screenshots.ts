// `npm run studio:screenshots` draws every screen of the studio in light and dark into docs/studio. Arguments are parts of names.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/setup.mjs';
import { StudioBrowser, type Visitor } from './browser.ts';
import { newLink } from '../support/studio.ts';
import { ALL_SCREENS, openScreen, screensOf } from './screens.ts';
import { seed } from './seed.ts';

const folder = process.env['SCREENSHOTS'] ?? join(root, 'docs', 'studio');
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
await mkdir(folder, { recursive: true });

async function shoot({ page }: Visitor, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  // A palette halves the size of a screenshot.
  const small = sharp(image).png({ palette: true, effort: 10, dither: 0 });
  await writeFile(join(folder, `${name}.png`), await small.toBuffer());
  console.log(name);
}

await using browser = await StudioBrowser.start(ALL_SCREENS);
const owner = await browser.signIn({ email: 'ada@tarnworks.example.com', role: 'operator' });
if (isWanted('first-template')) {
  await owner.page.getByText(/printed in/).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await owner.page.emulateMedia({ colorScheme: theme });
    await shoot(owner, `first-template-${theme}`);
  }
}
const seeded = await seed(owner);
for (const [name, plan] of [
  ['ben@fellside.example.com', 'pro'],
  ['clara@brightwater.example.com', 'starter'],
  ['studio@lindholm.example.com', 'free'],
])
  await owner.api('POST', '/studio/api/accounts', { email: name, plan });
for (const theme of ['light', 'dark'] as const) {
  const stranger = await browser.visit({ theme });
  if (isWanted('sign-in')) {
    await stranger.page.goto('/');
    await stranger.page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await stranger.page.waitForLoadState('networkidle');
    await shoot(stranger, `sign-in-${theme}`);
  }
  if (isWanted('first-start')) {
    await stranger.page.goto(`/studio/link/${await newLink(browser.service)}`);
    await stranger.page.getByRole('button', { name: 'Continue' }).waitFor();
    await stranger.page.waitForLoadState('networkidle');
    await shoot(stranger, `first-start-${theme}`);
  }
  await owner.page.emulateMedia({ colorScheme: theme });
  for (const screen of screensOf(seeded).filter(({ name }) => isWanted(name))) {
    try {
      await openScreen(owner.page, screen);
    } catch (error) {
      console.error(screen.name, String(error).slice(0, 300));
    }
    await shoot(owner, `${screen.name}-${theme}`);
  }
}
if (owner.offences.length > 0) console.error(owner.offences);
