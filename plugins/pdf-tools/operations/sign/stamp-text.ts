/** The texts of a stamp. */
export interface StampText {
  name: string;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
}

/** A line of a stamp. The name has no label. */
export interface StampLine {
  label: string;
  text: string;
}

/** Arranges the texts of a stamp in lines, the name first and the date last. `at` is in epoch milliseconds. */
export function stampLines({ name, reason, location, contact }: StampText, at: number): StampLine[] {
  const lines = [
    { label: '', text: name },
    { label: 'Reason', text: reason ?? '' },
    { label: 'Location', text: location ?? '' },
    { label: 'Contact', text: contact ?? '' },
    { label: 'Date', text: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
  ];
  return lines.filter(({ text }) => text !== '');
}

/** Returns the lines of a stamp as text. */
export function describeStamp(stamp: StampText, at: number): string {
  return stampLines(stamp, at)
    .map(({ label, text }) => (label === '' ? text : `${label}: ${text}`))
    .join('\n');
}

/** Replaces unpaired surrogates, and replaces control characters and runs of whitespace with single spaces. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  const printable = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return printable.replaceAll(/\s+/g, ' ').trim();
}

/** Tells whether a text contains a visible character. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
