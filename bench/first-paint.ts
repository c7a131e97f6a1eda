/**
 * Measures the first contentful paint of views of the studio from a cold cache, in the installed Chromium: `npm run bench:first-paint`. Each
 * visit has a new browser context. Prints the median and the longest time in milliseconds. Setting: `VISITS` (20).
 */
import { loadavg } from 'node:os';
import { StudioBrowser } from '../tests/studio/browser.ts';
import { median } from './statistics.ts';

const VISITS = Number(process.env['VISITS'] ?? 20);
const GOAL_MS = 1000;

await using browser = await StudioBrowser.start();
const owner = await browser.signIn();
const invoice = await owner.cloneStarter('invoice-modern');
const cookies = await owner.context.cookies();

for (const [name, path] of [
  ['overview', '/'],
  ['editor', `/studio/templates/${invoice}`],
  ['history', '/studio/generations'],
] as const) {
  const times: number[] = [];
  for (let left = VISITS; left > 0; left -= 1) times.push(await paint(path));
  console.log(
    `first contentful paint, ${name}: median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms; goal: below ${GOAL_MS} ms`,
  );
}
console.log(`${VISITS} visits each at load ${loadavg()[0]?.toFixed(1)}`);
process.exit();

/** Opens a view with an empty cache, and returns the milliseconds until its first contentful paint. */
async function paint(path: string): Promise<number> {
  const { page, context } = await browser.visit();
  await context.addCookies(cookies);
  await page.goto(path);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const time = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await context.close();
  return time;
}
