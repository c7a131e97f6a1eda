/** The current browser, or the earlier one that the operator keeps. */
export type BrowserChoice = 'current' | 'earlier';

/** The fault of a document that asks for an earlier browser, which the service does not have. */
export const NO_EARLIER_BROWSER =
  'is "earlier", and this service has no earlier browser: set it to "current", also in the options of a stored template, or ask the operator to keep one';
