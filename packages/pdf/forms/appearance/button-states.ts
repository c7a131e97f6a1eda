import { Dict, PdfString } from '../../objects/index.ts';
import type { Field, Widget } from '../fields/field.ts';
import { paintMark } from './button-mark.ts';
import { readDefaultAppearance } from './default-appearance.ts';
import { appearanceStream, readFrame } from './widget-frame.ts';

/** Draws the two appearances of a checkbox or radio button: for the state `onState`, and for `Off`. */
export function drawStates(field: Field, { dict, ...widget }: Widget, onState: string): void {
  const frame = readFrame({ dict, ...widget });
  if (!frame) return;
  const sign = dict.dict('MK')?.string('CA')?.key ?? (field.kind === 'radio' ? 'l' : '4');
  const appearance = dict.string('DA') ?? field.get('DA');
  const { color } = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
  const on = appearanceStream(frame, frame.paint + paintMark(frame, sign, color), new Dict());
  const off = appearanceStream(frame, frame.paint, new Dict());
  dict.set('AP', Dict.of({ N: Dict.of({ [onState]: on, Off: off }) }));
}
