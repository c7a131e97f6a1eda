/** What a stamp says. */
export interface StampText {
  name: string;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
}

/** A line of a stamp; the name has no label. */
export interface StampLine {
  label: string;
  text: string;
}

/** Puts what a stamp says in lines, the name first and the date last; `at` is in epoch milliseconds. */
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

/** Writes what a stamp says as text, a line for each of its lines. */
export function describeStamp(stamp: StampText, at: number): string {
  return stampLines(stamp, at)
    .map(({ label, text }) => (label === '' ? text : `${label}: ${text}`))
    .join('\n');
}

/** Takes out of a text what is no text: halves of characters, control characters; each run of spaces and lines is one space. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is meant
  const printable = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return printable.replaceAll(/\s+/g, ' ').trim();
}

/** Tells whether there is anything in a text to be seen. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
