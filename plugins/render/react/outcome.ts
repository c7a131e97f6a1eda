/**
 * The first character of what the page's scripts answer; the rest is text. One string, because it crosses from a world in which the
 * caller's code has run: of a string nothing but its length and its content can surprise.
 */
export const OUTCOME = {
  /** The component's markup. */
  markup: 'M',
  /** The source does not parse; the rest is a message that may not know the exact place. */
  syntax: 'S',
  /** Anything else that is wrong with the component; the rest is the message. */
  fault: 'F',
} as const;

/** The functions that the page's scripts leave as globals, until they are called. */
export const ENTRY = {
  renderComponent: 'platenRenderComponent',
  findSyntaxError: 'platenFindSyntaxError',
} as const;

/** Compared with the longest document that the service takes, a little less: what a template may become, too. */
export const MAX_MARKUP_LENGTH = 20_000_000;
