/**
 * Characters that begin the text alternative of an element of HTML to which Chromium gives no structure type
 * of its own, so that it is printed as a picture. {@link makeAccessible} replaces the figure with the element
 * that the character stands for, and removes the character.
 */
export const DESCRIBED = {
  /** A mathematical formula. */
  formula: '\u{10f001}',
  /** A form field whose drawn text follows. */
  fieldText: '\u{10f002}',
  /** A form field whose description follows, such as the value of a slider. */
  fieldPicture: '\u{10f003}',
} as const;
