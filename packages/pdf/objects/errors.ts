/** Why a file cannot be used. */
export type PdfFault =
  | 'not-a-pdf'
  | 'damaged'
  | 'encrypted'
  | 'needs-password'
  | 'wrong-password'
  | 'too-complex';

/**
 * Thrown for a file that is not a PDF or cannot be read. The message is for callers. Its subject is the file,
 * so it begins with a verb.
 */
export class PdfError extends Error {
  override name = 'PdfError';
  readonly fault: PdfFault;

  constructor(fault: PdfFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Thrown for an argument that does not fit the document. `field` is the path of the argument. */
export class InputFault extends Error {
  override name = 'InputFault';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Thrown when PDFium cannot open a file, or cannot read or render a page. */
export class RenderingError extends Error {
  override name = 'RenderingError';
}
