import { resolve, type PdfObject } from './objects.ts';
import { LETTER, readBox, type Box } from './page-box.ts';
import type { Page } from './page-tree.ts';

/** How a reader shows a page. */
export interface PageGeometry {
  /** What is seen of it: the crop box, as far as it lies in the media box. */
  visible: Box;
  /** Points in a unit of the page. */
  unit: number;
  /** Degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  /** Points, cropped and turned. */
  width: number;
  height: number;
}

/** Reads how a reader shows a page. */
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
  const [across, up] = [(visible[2] - visible[0]) * unit, (visible[3] - visible[1]) * unit];
  const lies = rotation === 90 || rotation === 270;
  return { visible, unit, rotation, width: lies ? up : across, height: lies ? across : up };
}

/** What is no multiple of 90 has no say. */
function readRotation(value: PdfObject | undefined): PageGeometry['rotation'] {
  const turned = typeof value === 'number' ? ((value % 360) + 360) % 360 : 0;
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0;
}

/** A crop box that lies outside the media box has no say. */
function intersect(media: Box, crop: Box): Box {
  const box: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return box[2] > box[0] && box[3] > box[1] ? box : media;
}
