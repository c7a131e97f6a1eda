/**
 * A box with markup that is drawn for another plugin, such as the appearance of a stamp or of a form field.
 */
export interface SnippetBox {
  /** Markup that needs neither scripts nor a network. Escape a caller's text in it with `Bun.escapeHTML`. */
  html: string;
  widthPt: number;
  heightPt: number;
  /**
   * Sets the text in the largest size from `maxPt` down to `minPt` at which everything fits; lengths in `em`
   * follow. If even `minPt` is too large, the text of elements with a `data-cut` attribute is truncated with
   * an ellipsis, starting with the highest number.
   */
  fit?: { minPt: number; maxPt: number } | undefined;
}

/** The maximum number of boxes that are drawn at once. */
export const MAX_SNIPPET_BOXES = 500;

/** Draws snippets in a browser; the part of the render service that the core uses. */
export interface SnippetDrawing {
  /** Draws at most {@link MAX_SNIPPET_BOXES} boxes: a PDF with one page per box. @throws {AppError} */
  drawSnippets(accountId: string, boxes: readonly SnippetBox[]): Promise<Uint8Array>;
}
