import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The default fontconfig file of the browser: the fonts of the system, and Inter and Source Serif 4, which
 * Platen installs with its packages.
 */
export const FONT_CONFIG = join(import.meta.dir, 'fonts.conf');

/** Returns the variables with which a program finds the same fonts as the browser. */
export function fontEnvironment(fontConfig: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: homedir(),
    LANG: 'C.UTF-8',
    FONTCONFIG_FILE: fontConfig,
  };
}
