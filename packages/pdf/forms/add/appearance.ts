import { Dict, type Ref } from '../../objects/index.ts';
import type { Color } from '../appearance/default-appearance.ts';
import { appearanceStream, n, type Frame } from '../appearance/frame.ts';
import { circle, paintTick } from '../appearance/tick.ts';

const BLACK: Color = [0];

/** Draws a field that is empty; text would stand between the marks. */
export function drawEmpty(frame: Frame, { marked }: { marked: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (marked ? '/Tx BMC\nEMC\n' : ''), new Dict());
}

/** Draws a checkbox. */
export function drawCheckbox(frame: Frame, { on }: { on: boolean }): Ref {
  return appearanceStream(frame, frame.paint + (on ? paintTick(frame, '4', BLACK) : ''), new Dict());
}

/** Draws a radio button: a ring, as readers draw a button whose sign is a dot. */
export function drawRadio(frame: Frame, { on }: { on: boolean }): Ref {
  const { width, height, borderWidth } = frame;
  const radius = (Math.min(width, height) - borderWidth) / 2;
  const ring = `q 1 g 0 G ${n(borderWidth)} w ${circle(width / 2, height / 2, radius)} h B Q\n`;
  return appearanceStream(frame, ring + (on ? paintTick(frame, 'l', BLACK) : ''), new Dict());
}
