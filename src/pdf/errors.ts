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
