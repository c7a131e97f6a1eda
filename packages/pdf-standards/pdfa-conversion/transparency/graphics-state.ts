import { asDict, Name, resolve, type Dict, type PdfObject, type Box } from '@platen/pdf/objects';
import { IDENTITY, type Matrix } from './geometry.ts';
import type { FontMetrics } from './font-metrics.ts';

/**
 * The parts of the graphics state (ISO 32000-1 8.4) that determine where content paints and whether it is
 * transparent.
 */
export interface GraphicsState {
  matrix: Matrix;
  /** The bounding box of the clipping path. */
  clip: Box;
  /**
   * The numbers of the clipping paths that apply. With a prefix of this list, at least as much of the page is
   * visible.
   */
  clips: readonly number[];
  fillAlpha: number;
  strokeAlpha: number;
  /** Whether the blend mode is not Normal. */
  blended: boolean;
  /** Whether a soft mask applies. */
  masked: boolean;
  /** Whether the current pattern for fills is transparent. */
  fillPattern: boolean;
  /** Whether the current pattern for strokes is transparent. */
  strokePattern: boolean;
  lineWidth: number;
  miterLimit: number;
  font: FontMetrics | undefined;
  fontSize: number;
  characterSpace: number;
  wordSpace: number;
  /** 1 for 100 %. */
  horizontalScale: number;
  leading: number;
  rise: number;
  renderMode: number;
}

/** The values at the start of a transparency group (ISO 32000-1 11.6.6). */
export const GROUP_START = { fillAlpha: 1, strokeAlpha: 1, blended: false, masked: false };

/** Returns the initial graphics state of content. */
export function initialState(clip: Box, matrix: Matrix = IDENTITY): GraphicsState {
  return {
    matrix,
    clip,
    clips: [],
    ...GROUP_START,
    fillPattern: false,
    strokePattern: false,
    lineWidth: 1,
    miterLimit: 10,
    font: undefined,
    fontSize: 0,
    characterSpace: 0,
    wordSpace: 0,
    horizontalScale: 1,
    leading: 0,
    rise: 0,
    renderMode: 0,
  };
}

/** The lowest alpha that rounds to full opacity in 8 bits. */
const OPAQUE = 0.998;

export function fillIsTransparent(state: GraphicsState): boolean {
  return state.fillAlpha < OPAQUE || state.blended || state.masked || state.fillPattern;
}

export function strokeIsTransparent(state: GraphicsState): boolean {
  return state.strokeAlpha < OPAQUE || state.blended || state.masked || state.strokePattern;
}

export function enablesTransparency(extended: Dict): boolean {
  return (
    (extended.number('ca') ?? 1) < OPAQUE ||
    (extended.number('CA') ?? 1) < OPAQUE ||
    blends(extended.raw('BM')) ||
    asDict(extended.raw('SMask')) !== undefined
  );
}

/** Applies the transparency and line parameters of an extended graphics state. */
export function applyExtended(state: GraphicsState, extended: Dict): void {
  state.fillAlpha = extended.number('ca') ?? state.fillAlpha;
  state.strokeAlpha = extended.number('CA') ?? state.strokeAlpha;
  if (extended.map.has('BM')) state.blended = blends(extended.raw('BM'));
  if (extended.map.has('SMask')) state.masked = asDict(extended.raw('SMask')) !== undefined;
  state.lineWidth = extended.number('LW') ?? state.lineWidth;
  state.miterLimit = extended.number('ML') ?? state.miterLimit;
}

function blends(object: PdfObject | undefined): boolean {
  const value = resolve(object);
  // Readers use the first mode of an array, unless they do not know it.
  const mode = Array.isArray(value) ? resolve(value[0]) : value;
  return mode instanceof Name && mode.value !== 'Normal' && mode.value !== 'Compatible';
}
