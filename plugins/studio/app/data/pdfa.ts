/** The levels of PDF/A, each with its label. */
export const PDFA_LEVELS = [
  ['1b', 'PDF/A-1b: the oldest and strictest'],
  ['2b', 'PDF/A-2b: keeps transparency'],
  ['2u', 'PDF/A-2u: keeps transparency, and all text has Unicode values'],
  ['3b', 'PDF/A-3b: keeps transparency and attachments'],
  ['3u', 'PDF/A-3u: keeps transparency and attachments, and all text has Unicode values'],
] as const;
