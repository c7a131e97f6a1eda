import { Dict, type Ref } from '../../objects/index.ts';
import type { Color } from '../appearance/default-appearance.ts';
import { appearanceStream, n, type WidgetFrame } from '../appearance/widget-frame.ts';
import { circle, paintMark } from '../appearance/button-mark.ts';

const BLACK: Color = [0];

/** Draws an empty field. `marked` adds the marked-content operators that enclose text. */
export function drawEmpty(frame: WidgetFrame, { marked }: { marked: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (marked ? '/Tx BMC\nEMC\n' : ''), new Dict());
}

/** Draws a checkbox. */
export function drawCheckbox(frame: WidgetFrame, { on }: { on: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (on ? paintMark(frame, '4', BLACK) : ''), new Dict());
}

/** Draws a radio button as a ring, as readers do for buttons with a dot. */
export function drawRadio(frame: WidgetFrame, { on }: { on: boolean }): Ref {
  const { width, height, borderWidth } = frame;
  const radius = (Math.min(width, height) - borderWidth) / 2;
  const ring = `q 1 g 0 G ${n(borderWidth)} w ${circle(width / 2, height / 2, radius)} h B Q\n`;
  return appearanceStream(frame, ring + (on ? paintMark(frame, 'l', BLACK) : ''), new Dict());
}
