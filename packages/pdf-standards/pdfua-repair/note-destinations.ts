/**
 * The starts of the names of destinations of footnotes. Chromium writes no structure type for a note, so
 * {@link makeAccessible} finds calls and notes by their links: a call leads to its note, and a note begins
 * with a link to its call.
 */
export const NOTE_DESTINATIONS = {
  callPrefix: 'platen-footnote-call-',
  notePrefix: 'platen-footnote-note-',
} as const;
