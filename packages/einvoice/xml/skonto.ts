const SKONTO = /^#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}(?:#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

/**
 * Tells whether a line of payment terms is a cash discount that programs can read (XRechnung 3.0, BR-DE-18).
 */
export function isSkonto(line: string): boolean {
  return SKONTO.test(line.trim());
}

/** Ends payment terms with a line break if their last line is a cash discount, as BR-DE-18 requires. */
export function endSkonto(terms: string): string {
  const text = terms.trimEnd();
  return isSkonto(text.slice(text.lastIndexOf('\n') + 1)) ? `${text}\n` : terms;
}
