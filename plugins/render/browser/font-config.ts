import { homedir } from 'node:os';
import { join } from 'node:path';

/** The fontconfig file of the browser: the fonts of the system, and Inter and Source Serif 4, which Platen installs with its packages. */
export const FONT_CONFIG = join(import.meta.dir, 'fonts.conf');

/** The variables with which a program finds the same fonts as the browser. */
export const FONT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: homedir(),
  LANG: 'C.UTF-8',
  FONTCONFIG_FILE: FONT_CONFIG,
};
