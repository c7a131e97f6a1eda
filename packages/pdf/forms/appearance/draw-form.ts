import { decodeStream, type PdfDocument } from '../../objects/index.ts';
import { readForm } from '../fields/read-fields.ts';
import { Edits } from '../edits/edits.ts';
import type { BrowserText } from './browser-text.ts';
import { drawFields } from './draw-fields.ts';
import { TextPainter } from './widget-appearance.ts';

/** Thrown for fields whose text a browser must draw. The call is then repeated with the drawings. */
export class UndrawnTextError extends Error {
  override name = 'UndrawnTextError';
  readonly toDraw: BrowserText[];

  constructor(toDraw: BrowserText[]) {
    super('a browser must draw the values of fields first');
    this.toDraw = toDraw;
  }
}

/**
 * Draws the appearances of fields that readers would draw themselves: of all fields if the form sets
 * `NeedAppearances`, otherwise only the missing ones. Changes the document. `drawn` contains the PDFs of the
 * texts in an earlier error.
 * @throws {UndrawnTextError} if `drawn` is missing and a browser must draw texts.
 * @throws {InputFault} if there are too many such texts.
 */
export function drawForm(document: PdfDocument, drawn: readonly Uint8Array[] | undefined): void {
  const form = readForm(document);
  const painter = new TextPainter(form.dict, drawn, 'pdf');
  drawFields(form, {
    painter,
    edits: new Edits(document),
    unpack: (stream) => decodeStream(stream, document.budget),
    filled: new Set(),
    others: form.dict?.get('NeedAppearances') === true ? 'all' : 'missing',
  });
  if (painter.toDraw.length > 0 && !drawn) throw new UndrawnTextError(painter.toDraw);
}
