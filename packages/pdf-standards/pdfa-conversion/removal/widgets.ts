import { Dict, fieldTypeOf, name, PdfStream, Ref, resolve, type PdfObject } from '@platen/pdf/objects';

/**
 * Completes the appearance of a widget as PDF/A-1 requires (ISO 19005-1 6.5.3, 6.9): one stream, or for a
 * button one stream per state.
 */
export function completeWidget(widget: Dict): void {
  const type = fieldTypeOf(widget);
  // Validators look for the type of the field only in the widget itself.
  if (type !== undefined) widget.set('FT', name(type));
  const normal = widget.dict('AP')?.raw('N');
  const value = resolve(normal);
  if (type === 'Btn') widget.set('AP', Dict.of({ N: buttonStates(widget, normal, value) }));
  else {
    const appearance = value instanceof Dict ? pickState(widget, value) : streamRef(normal);
    widget.delete('AS').set('AP', Dict.of({ N: appearance ?? emptyForm(widget) }));
  }
}

function buttonStates(widget: Dict, normal: PdfObject | undefined, value: PdfObject | undefined): PdfObject {
  if (value instanceof Dict) {
    const states = [...value.map].filter(([, state]) => streamRef(state) !== undefined);
    if (states.length > 0) {
      const state = widget.name('AS');
      if (state === undefined) widget.set('AS', name('Off'));
      return new Dict(states);
    }
  }
  // A push button has a single appearance, which readers look up by the current state.
  const face = streamRef(normal);
  widget.set('AS', name(face ? 'Face' : 'Off'));
  return face ? Dict.of({ Face: face }) : Dict.of({ Off: emptyForm(widget) });
}

function pickState(widget: Dict, states: Dict): Ref | undefined {
  const state = widget.name('AS');
  return (state === undefined ? undefined : streamRef(states.raw(state))) ?? streamRef(states.raw('Off'));
}

function streamRef(object: PdfObject | undefined): Ref | undefined {
  return object instanceof Ref && resolve(object) instanceof PdfStream ? object : undefined;
}

function emptyForm(widget: Dict): Ref {
  return Ref.to(new PdfStream(appearanceDict(widget), new Uint8Array()));
}

/** Builds the dictionary of a form XObject with the size of a widget, at the origin. */
function appearanceDict(widget: Dict): Dict {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (widget.array('Rect') ?? []).map(
    (item) => Number(resolve(item)) || 0,
  );
  return Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [0, 0, Math.abs(x2 - x1), Math.abs(y2 - y1)],
    Resources: new Dict(),
  });
}
