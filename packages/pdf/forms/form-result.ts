import type { BrowserText } from './appearance/browser-text.ts';

/** The new PDF, or the texts that a browser must draw before the call is repeated. */
export type FormResult = { pdf: Uint8Array } | { toDraw: BrowserText[] };
