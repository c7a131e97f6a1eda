import { Dict, name, Name, PdfStream, Ref, resolve, type PdfObject } from '../../objects/index.ts';
import { drawFieldText } from './field-text.ts';
import { formDict, inherited } from './field.ts';
import type { CleanForm } from './forms.ts';

/**
 * Gives a widget the appearance that it must have (ISO 19005-1 6.5.3, 6.9): one stream, or for a button one for each state. What has
 * none is drawn, as readers would.
 */
export function completeWidget(widget: Dict, form: CleanForm | undefined): void {
  const type = inheritedName(widget, 'FT');
  // Checkers look for the type in the widget alone.
  if (type !== undefined) widget.set('FT', name(type));
  const normal = widget.dict('AP')?.raw('N');
  const value = resolve(normal);
  if (type === 'Btn') widget.set('AP', Dict.of({ N: buttonStates(widget, normal, value) }));
  else {
    const own = value instanceof Dict ? pickState(widget, value) : streamRef(normal);
    const drawn = own && !form?.redraw ? own : drawField(widget, form?.form, type);
    widget.delete('AS').set('AP', Dict.of({ N: drawn ?? own ?? emptyForm(widget) }));
  }
}

function inheritedName(field: Dict, key: string): string | undefined {
  const value = resolve(inherited(field, key));
  return value instanceof Name ? value.value : undefined;
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
  // A push button has one face; readers take it from the state that is set.
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

function drawField(widget: Dict, form: Dict | undefined, type: string | undefined): Ref | undefined {
  return type === 'Tx' || type === 'Ch' ? drawFieldText(widget, form) : undefined;
}

function emptyForm(widget: Dict): Ref {
  return Ref.to(new PdfStream(formDict(widget), new Uint8Array()));
}
