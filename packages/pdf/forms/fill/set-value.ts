import { Dict, encodeText, name, PdfStream, Ref, resolve, type PdfObject } from '../../objects/index.ts';
import { drawStates } from '../appearance/button-states.ts';
import { withoutDingbats } from '../appearance/dingbats.ts';
import type { Edits } from '../edits/edits.ts';
import type { Field, Widget } from '../fields/field.ts';
import { stateNames, type Unpack } from '../fields/options.ts';
import type { Assignment } from './assignments.ts';

/** Sets the value of a field, and the appearance of buttons. Text appearances are drawn separately. */
export function setValue({ field, value }: Assignment, edits: Edits, unpack: Unpack): void {
  switch (value.kind) {
    case 'text':
      write(field, edits, { V: encodeText(value.text) });
      return;
    case 'choices': {
      const { choices, chosen, customText } = value;
      // Keep the option's original bytes, which readers compare.
      const values = chosen.flatMap((index) => resolve(choices[index]?.source.value) ?? []);
      const several = field.kind === 'option_list' && field.has('multiSelect') && values.length > 1;
      const text = customText === undefined ? (values[0] ?? encodeText('')) : encodeText(customText);
      const indexes = field.kind === 'option_list' && chosen.length > 0 ? chosen : undefined;
      write(field, edits, { V: several ? values : text, I: indexes });
      return;
    }
    case 'state':
      setState(field, value.state, edits, unpack);
  }
}

function write(field: Field, edits: Edits, entries: Readonly<Record<string, PdfObject | undefined>>): void {
  for (const node of field.nodes) {
    const dict = edits.touch(node);
    for (const [key, entry] of Object.entries(entries)) dict.set(key, entry);
    // Some readers would display the rich text instead of `V`.
    dict.delete('RV');
  }
  const nodes = new Set(field.nodes.map(({ dict }) => dict));
  for (const widget of field.widgets) {
    const { dict } = widget;
    if (!nodes.has(dict) && (dict.map.has('V') || dict.map.has('RV')))
      edits.touch(widget).delete('V', 'RV', 'I');
  }
}

function setState(field: Field, state: string | undefined, edits: Edits, unpack: Unpack): void {
  write(field, edits, { V: name(state ?? 'Off') });
  const together = field.kind === 'checkbox' || field.has('radiosInUnison');
  let shown = 0;
  const names = stateNames(field);
  for (const [index, widget] of field.widgets.entries()) {
    const onState = names[index];
    const on = state !== undefined && onState === state && (together || shown === 0);
    if (on) shown++;
    const dict = edits.touch(widget);
    dict.set('AS', name(on ? state : 'Off'));
    if (onState !== undefined) completeStates(field, widget, onState);
    if (on) showEverywhere(dict, state, unpack);
  }
}

/** Draws the states of a widget unless it has an appearance for its on state. */
function completeStates(field: Field, widget: Widget, onState: string): void {
  const { dict } = widget;
  const normal = dict.dict('AP')?.get('N');
  if (normal instanceof Dict && normal.get(onState) instanceof PdfStream) return;
  drawStates(field, widget, onState);
}

/** Replaces an appearance that uses ZapfDingbats, which some readers cannot show. */
function showEverywhere(widget: Dict, state: string, unpack: Unpack): void {
  const appearances = widget.dict('AP');
  const normal = appearances?.get('N');
  if (!appearances || !(normal instanceof Dict)) return;
  const drawn = withoutDingbats(normal.get(state), unpack);
  if (drawn) widget.set('AP', appearances.copy().set('N', normal.copy().set(state, Ref.to(drawn))));
}
