import {
  PdfError,
  type Box,
  type Dict,
  type Direct,
  type Operation,
  type PdfStream,
} from '../../objects/index.ts';
import type { FontMetrics } from './font-metrics.ts';
import type { GraphicsState } from './graphics-state.ts';

const MAX_OPERATIONS = 20_000_000;

/** Receives the painting operations of content in order. */
export interface PaintObserver {
  /** Reports painting within a box of the page. */
  painted(region: Box, transparent: boolean): void;
  /** Reports the end of an operation of the content itself, not of a nested form. `nested` is the depth of saved graphics states. */
  done?(operation: Operation, now: { state: GraphicsState; nested: number; inText: boolean }): void;
}

/** Limits the number of operations over all content of a document, because nested forms can multiply them. */
export class OperationBudget {
  #left = MAX_OPERATIONS;

  take(): void {
    if (--this.#left < 0) throw new PdfError('too-complex', 'has too many drawing operations');
  }
}

/** Answers the questions of the interpreter about resources: which are transparent, and how wide text is. */
export interface ResourceInspector {
  /** Decodes content. Returns `undefined` if it cannot be decoded. */
  read(stream: PdfStream): Uint8Array | undefined;
  /** Tells whether resources, including nested ones, may be transparent. Never returns false if they are. */
  mayOccurIn(resources: Dict): boolean;
  isPatternTransparent(pattern: Direct, resources: Dict): boolean;
  /** Tells whether an image is partly transparent. Simplifies its soft mask if that loses nothing. */
  isImageTransparent(image: PdfStream): boolean;
  metricsOf(font: Dict, resources: Dict): FontMetrics;
}

/** The environment in which content is interpreted. */
export interface InterpreterContext {
  transparency: ResourceInspector;
  budget: OperationBudget;
  observer: PaintObserver;
}
