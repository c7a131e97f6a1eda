import { existsSync } from 'node:fs';
import { browserFlags } from '../browser/chromium-flags.ts';
import { FONT_CONFIG } from '../browser/font-config.ts';
import { findChromium } from '../browser/find-chromium.mjs';
import { launchBrowser, type LaunchedBrowser } from '../browser/launch.ts';
import type { PageObject } from './settings.ts';

/** Starts a browser that reaches the network and this machine as its user does. @throws if there is none */
export async function startBrowser(
  objects: readonly PageObject[],
  { chromiumPath, fontConfig }: { chromiumPath: string | undefined; fontConfig: string | undefined },
): Promise<LaunchedBrowser> {
  const executablePath = chromiumPath ?? findChromium();
  if (executablePath === undefined || !existsSync(executablePath))
    throw new Error('Chromium was not found; install chromium-headless-shell, or set CHROMIUM_PATH');
  const isRoot = process.getuid?.() === 0;
  return launchBrowser({
    executablePath,
    flags: [...browserFlags({ sandbox: !isRoot }), ...proxyFlags(objects), ...fileFlags(objects)],
    niceness: 0,
    fontConfig: fontConfig ?? FONT_CONFIG,
  });
}

/** The browser has one proxy, that of the first object which names one. */
function proxyFlags(objects: readonly PageObject[]): string[] {
  const named = objects.find(({ page }) => page.proxy !== undefined)?.page;
  if (named?.proxy === undefined || named.proxy.toLowerCase() === 'none') return ['--no-proxy-server'];
  const url = new URL(named.proxy.includes('://') ? named.proxy : `http://${named.proxy}`);
  const bypass = named.proxyBypass.length > 0 ? [`--proxy-bypass-list=${named.proxyBypass.join(';')}`] : [];
  return [`--proxy-server=${url.protocol}//${url.host}`, ...bypass];
}

/**
 * Lets local pages read local files, such as their fonts, if all of them may read all files. With `--allow`,
 * a page only shows files: `local-files.ts` does not see the requests of its workers.
 */
function fileFlags(objects: readonly PageObject[]): string[] {
  return objects.every(({ page }) => page.readsLocalFiles) ? ['--allow-file-access-from-files'] : [];
}
