/**
 * Thrown for a file that is not accepted, or for a fault in its tags or data. The message is a sentence for
 * the template's author.
 */
export class OfficeFault extends Error {
  override name = 'OfficeFault';
  /** `file` for a file that cannot be read; `tag` for a fault of its tags, or of the data. */
  readonly subject: 'file' | 'tag';

  constructor(message: string, subject: OfficeFault['subject'] = 'file') {
    super(message);
    this.subject = subject;
  }
}

/** Creates the fault of a tag at a place such as `table 1, row 2`. */
export function tagFault(place: string, message: string): OfficeFault {
  return new OfficeFault(`${place}: ${message}`, 'tag');
}

const MAX_QUOTED_CHARACTERS = 80;

/** Quotes text of a file for a message, on one line. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return `"${line.length > MAX_QUOTED_CHARACTERS ? `${line.slice(0, MAX_QUOTED_CHARACTERS - 1)}…` : line}"`;
}
