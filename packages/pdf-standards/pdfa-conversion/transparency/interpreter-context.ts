import {
  PdfError,
  type Box,
  type Dict,
  type Direct,
  type Operation,
  type PdfStream,
} from '@platen/pdf/objects';
import type { FontMetrics } from './font-metrics.ts';
import type { GraphicsState } from './graphics-state.ts';

const MAX_OPERATIONS = 20_000_000;

/** Receives the painting operations of content in order. */
export interface PaintObserver {
  /** Receives a region of the page that an operation paints. */
  painted(region: Box, transparent: boolean): void;
  /**
   * Receives each operation of the page content itself, not of nested forms, after it. `nested` is the number
   * of saved graphics states.
   */
  done?(operation: Operation, now: { state: GraphicsState; nested: number; inText: boolean }): void;
}

/** Limits the total number of operations of a document, because nested forms can multiply them. */
export class OperationBudget {
  #left = MAX_OPERATIONS;

  /** Counts an operation. @throws {PdfError} if there are too many. */
  take(): void {
    if (--this.#left < 0) throw new PdfError('too-complex', 'has too many drawing operations');
  }
}

/** Tells the interpreter which resources are transparent, and how large text is. */
export interface ResourceInspector {
  /** Decodes content. Returns `undefined` if it cannot be decoded. */
  read(stream: PdfStream): Uint8Array | undefined;
  /** Tells whether resources, including nested ones, may be transparent. Never returns false if they are. */
  mayOccurIn(resources: Dict): boolean;
  /** Tells whether a pattern paints anything transparent. */
  isPatternTransparent(pattern: Direct, resources: Dict): boolean;
  /** Tells whether an image is partly transparent. Simplifies its soft mask if that loses nothing. */
  isImageTransparent(image: PdfStream): boolean;
  /** Returns the extent of text in a font. */
  metricsOf(font: Dict, resources: Dict): FontMetrics;
}

/** The environment in which content is interpreted. */
export interface InterpreterContext {
  transparency: ResourceInspector;
  budget: OperationBudget;
  observer: PaintObserver;
}
