import { Dict, PdfString } from '../../objects/index.ts';
import type { Field, Widget } from '../fields/field.ts';
import { paintMark } from './button-mark.ts';
import { readDefaultAppearance } from './default-appearance.ts';
import { appearanceStream, readFrame } from './widget-frame.ts';

/** Gives the widget of a check box or radio button the appearances of its on state, `own`, and of `Off`. */
export function drawStates(field: Field, { dict, ...widget }: Widget, own: string): void {
  const frame = readFrame({ dict, ...widget });
  if (!frame) return;
  const sign = dict.dict('MK')?.string('CA')?.key ?? (field.kind === 'radio' ? 'l' : '4');
  const appearance = dict.string('DA') ?? field.get('DA');
  const { color } = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
  const on = appearanceStream(frame, frame.paint + paintMark(frame, sign, color), new Dict());
  const off = appearanceStream(frame, frame.paint, new Dict());
  dict.set('AP', Dict.of({ N: Dict.of({ [own]: on, Off: off }) }));
}
