import { resolve, type PdfObject } from './objects.ts';
import { LETTER, readBox, type Box } from './page-box.ts';
import type { Page } from './page-tree.ts';

/** How a reader displays a page. */
export interface PageGeometry {
  /** The visible area: the part of CropBox within MediaBox. */
  visible: Box;
  /** The size of a user space unit in points. */
  unit: number;
  /** Degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  /** The displayed size in points, after cropping and rotation. */
  width: number;
  height: number;
}

/** Returns how a reader displays a page. */
export function geometryOf({ dict, inherited }: Pick<Page, 'dict' | 'inherited'>): PageGeometry {
  const entry = (key: string) => {
    const own = dict.get(key);
    return own === undefined || own === null ? resolve(inherited.get(key)) : own;
  };
  const media = readBox(entry('MediaBox')) ?? LETTER;
  const visible = intersect(media, readBox(entry('CropBox')) ?? media);
  const declared = dict.number('UserUnit') ?? 1;
  const unit = declared > 0 ? declared : 1;
  const rotation = readRotation(entry('Rotate'));
  const [width, height] = [(visible[2] - visible[0]) * unit, (visible[3] - visible[1]) * unit];
  const isSideways = rotation === 90 || rotation === 270;
  return { visible, unit, rotation, width: isSideways ? height : width, height: isSideways ? width : height };
}

/** Ignores rotations that are not multiples of 90. */
function readRotation(value: PdfObject | undefined): PageGeometry['rotation'] {
  const turned = typeof value === 'number' ? ((value % 360) + 360) % 360 : 0;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}

/** Ignores a CropBox outside MediaBox. */
function intersect(media: Box, crop: Box): Box {
  const box: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return box[2] > box[0] && box[3] > box[1] ? box : media;
}
