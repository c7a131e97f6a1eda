import { join } from 'node:path';

/** The default fontconfig file of the browser: the fonts of the system, and Inter and Source Serif 4, which Platen installs with its packages. */
export const FONT_CONFIG = join(import.meta.dir, 'fonts.conf');
