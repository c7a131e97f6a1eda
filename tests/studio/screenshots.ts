// `npm run studio:screenshots` draws the pictures of the documentation into docs/studio. Arguments are parts of
// names.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/setup.mjs';
import { StudioBrowser } from './browser.ts';
import { openScreen } from './open-screen.ts';
import { ALL_SCREENS, screensOf } from './screens.ts';
import { seed } from './seed.ts';

/** The pictures, by screen. The README shows those of `editor` and `generations`. */
const THEMES: Readonly<Record<string, 'light' | 'dark'>> = {
  overview: 'light',
  templates: 'light',
  editor: 'light',
  'editor-error': 'light',
  generations: 'dark',
  receipt: 'light',
  proof: 'light',
  'tool-verify': 'light',
  keys: 'light',
  webhooks: 'light',
};

const folder = process.env['SCREENSHOTS'] ?? join(root, 'docs', 'studio');
const wanted = process.argv.slice(2);
await mkdir(folder, { recursive: true });

await using browser = await StudioBrowser.start(ALL_SCREENS);
const owner = await browser.signIn({ email: 'ada@tarnworks.example.com', role: 'operator' });
for (const screen of screensOf(await seed(owner))) {
  const theme = THEMES[screen.name];
  if (!theme || (wanted.length > 0 && !wanted.some((part) => screen.name.includes(part)))) continue;
  await owner.page.emulateMedia({ colorScheme: theme });
  await openScreen(owner.page, screen);
  await owner.page.mouse.move(0, 0);
  // The code editor aligns its line numbers with the lines in the frames after it has measured them.
  await owner.page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  const image = await owner.page.screenshot({ animations: 'disabled', caret: 'hide' });
  // A palette halves the size of a screenshot.
  const small = sharp(image).png({ palette: true, effort: 10, dither: 0 });
  await writeFile(join(folder, `${screen.name}-${theme}.png`), await small.toBuffer());
  console.log(screen.name);
}
if (owner.offences.length > 0) console.error(owner.offences);
