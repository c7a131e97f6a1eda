/** The current browser, or the earlier one that the operator keeps. */
export type BrowserChoice = 'current' | 'earlier';

/** Says that a document needs the earlier browser. */
export const NO_EARLIER_BROWSER =
  'is "earlier", and this service has no earlier browser: set it to "current", also in the options of a stored template, or ask the operator to keep one';
