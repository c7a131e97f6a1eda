import { decodeStream, type PdfDocument, type PdfStream } from '../../objects/index.ts';
import { drawFields } from '../appearance/draw-fields.ts';
import { TextPainter } from '../appearance/widget-appearance.ts';
import { Edits } from '../edits/edits.ts';
import type { Unpack } from '../fields/options.ts';
import { readForm } from '../fields/read-fields.ts';
import { flattenForm } from '../flatten/flatten.ts';
import type { FormResult } from '../form-result.ts';
import { requirePermission } from './permission.ts';
import { setValue } from './set-value.ts';
import { finishForm } from './finish-form.ts';
import { readAssignments, type FieldInput } from './assignments.ts';

/** A request to fill a form. */
export interface FillFormRequest {
  fields: readonly FieldInput[];
  flatten: boolean;
  /** The PDFs drawn for the texts that an earlier call returned in `toDraw`. */
  drawn?: readonly Uint8Array[] | undefined;
}

/**
 * Sets the values of all the given fields, or of none if one is rejected.
 * @throws {InputFault} if a field does not accept its value, or a signature would become invalid.
 */
export function fillForm(
  document: PdfDocument,
  { fields: sent, flatten, drawn }: FillFormRequest,
): FormResult {
  const form = readForm(document);
  const unpack: Unpack = (stream: PdfStream) => decodeStream(stream, document.budget);
  const assignments = readAssignments(form.fields, sent, unpack);
  const { signed } = requirePermission(document, form, { assignments, flatten });
  const edits = new Edits(document);
  for (const assignment of assignments) setValue(assignment, edits, unpack);

  const painter = new TextPainter(form.dict, drawn);
  const filled = new Set(assignments.map(({ field }) => field));
  const redrawAll = !signed && form.dict?.get('NeedAppearances') === true;
  const others = redrawAll ? 'all' : flatten ? 'missing' : 'none';
  drawFields(form, { painter, edits, unpack, filled, others });
  if (painter.toDraw.length > 0 && !drawn) return { toDraw: painter.toDraw };
  if (!signed) finishForm(document, form, [...filled], edits);
  if (flatten) flattenForm(document, form, { edits, annotations: false });
  return { pdf: edits.write({ signed, rewrite: flatten }) };
}
