/** The kinds of faults in a model's answer. Callers see them, so they quote nothing from the answer. */
export type FaultKind =
  | 'no document'
  | 'incomplete document'
  | 'too long'
  | 'broken HTML'
  | 'broken Handlebars'
  | 'a script'
  | 'an event handler'
  | 'an unsafe link'
  | 'a remote asset'
  | 'a form'
  | 'an element or attribute that is not allowed'
  | 'a misplaced Handlebars tag'
  | 'missing variables'
  | 'a document that could not be printed';

/** A fault in a document. The message is for the document's author and may quote the document. */
export class DocumentFault extends Error {
  override name = 'DocumentFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Quotes part of the document for a message: at most 60 characters, on one line. */
export function quote(text: string): string {
  const line = text.replaceAll(/[\u{f0000}-\u{fffef}]/gu, '{{…}}').replaceAll(/\s+/g, ' ');
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`;
}
