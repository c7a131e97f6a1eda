/** Why a file cannot be worked with. */
export type PdfFault = 'not-a-pdf' | 'damaged' | 'encrypted' | 'too-complex';

/** Thrown for a file that is no PDF, or one that cannot be read; the message is for the caller, and begins with a verb. */
export class PdfError extends Error {
  override name = 'PdfError';
  readonly fault: PdfFault;

  constructor(fault: PdfFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Thrown for an argument that does not fit the document: the path of the argument, and what is wrong with it. */
export class InputFault extends Error {
  override name = 'InputFault';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
