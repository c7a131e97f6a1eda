/**
 * The first character of the result of the scripts in the browser page; the rest is text. The result is a
 * single string because it comes from a world in which the caller's code has run, and a string has no
 * behaviour that the code could change.
 */
export const OUTCOME = {
  /** The component's markup. */
  markup: 'M',
  /** The source does not parse. The rest is a message, possibly without the exact position. */
  syntax: 'S',
  /** The component failed in another way. The rest is the message. */
  fault: 'F',
} as const;

/** The global functions that the scripts define in the browser page. */
export const ENTRY = {
  renderComponent: 'platenRenderComponent',
  findSyntaxError: 'platenFindSyntaxError',
} as const;

/** The limit of a component's markup in characters. */
export const MAX_MARKUP_LENGTH = 20_000_000;
