import { asDict, Name, resolve, type Dict, type PdfObject, type Box } from '../../objects/index.ts';
import { IDENTITY, type Matrix } from './geometry.ts';
import type { FontMetrics } from './font-metrics.ts';

/** What content is drawn with (ISO 32000-1 8.4), as far as it decides where something is drawn and whether through something. */
export interface GraphicsState {
  matrix: Matrix;
  /** A box around what is not clipped away. */
  clip: Box;
  /** Counts clips: a state with the same number as another, or one that it was made from, shows at least as much. */
  clips: readonly number[];
  fillAlpha: number;
  strokeAlpha: number;
  blended: boolean;
  masked: boolean;
  /** Whether the pattern in use is seen through. */
  fillPattern: boolean;
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

/** How a transparency group begins, whatever it is drawn with (ISO 32000-1 11.6.6). */
export const PLAIN = { fillAlpha: 1, strokeAlpha: 1, blended: false, masked: false };

/** The state in which content begins. */
export function initialState(clip: Box, matrix: Matrix = IDENTITY): GraphicsState {
  return {
    matrix,
    clip,
    clips: [],
    ...PLAIN,
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

/** What an alpha may lack without a change of any of 256 levels. */
const OPAQUE = 0.998;

/** Tells whether what is filled shows what lies below. */
export function fillsThrough(state: GraphicsState): boolean {
  return state.fillAlpha < OPAQUE || state.blended || state.masked || state.fillPattern;
}

/** Tells whether what is stroked shows what lies below. */
export function strokesThrough(state: GraphicsState): boolean {
  return state.strokeAlpha < OPAQUE || state.blended || state.masked || state.strokePattern;
}

/** Tells whether an extended graphics state can make anything show what lies below. */
export function isTransparent(extended: Dict): boolean {
  return (
    (extended.number('ca') ?? 1) < OPAQUE ||
    (extended.number('CA') ?? 1) < OPAQUE ||
    blends(extended.raw('BM')) ||
    asDict(extended.raw('SMask')) !== undefined
  );
}

/** Sets what an extended graphics state says of transparency and lines. */
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
  // Of several, readers take the first that they know.
  const mode = Array.isArray(value) ? resolve(value[0]) : value;
  return mode instanceof Name && mode.value !== 'Normal' && mode.value !== 'Compatible';
}
