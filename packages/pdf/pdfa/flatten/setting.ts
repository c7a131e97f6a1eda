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

/** Is told what content paints, in order. */
export interface Observer {
  /** Something is painted inside a box of the page; `seenThrough` when what lies below shows. */
  painted(region: Box, seenThrough: boolean): void;
  /** An operation of the content itself, not of a form in it, is done. `nested` counts what `q` has saved. */
  done?(operation: Operation, now: { state: GraphicsState; nested: number; inText: boolean }): void;
}

/** Counts operations over all content of a document: a form can use others that use others, each many times. */
export class OperationBudget {
  #left = MAX_OPERATIONS;

  take(): void {
    if (--this.#left < 0) throw new PdfError('too-complex', 'draws more than the service takes');
  }
}

/** What the interpreter asks about resources: where they may show what lies below, and how wide their fonts are. */
export interface ResourceLook {
  /** Unpacks content; `undefined` when it cannot be read. */
  read(stream: PdfStream): Uint8Array | undefined;
  /** Tells whether anything in resources, or in resources that they lead to, is transparent. Never says no when something is. */
  mayBeIn(resources: Dict): boolean;
  isPatternSeenThrough(pattern: Direct, resources: Dict): boolean;
  /** Tells whether an image is partly transparent. Simplifies its mask where nothing is lost. */
  isImageSeenThrough(image: PdfStream): boolean;
  metricsOf(font: Dict, resources: Dict): FontMetrics;
}

/** What content is run in. */
export interface Setting {
  transparency: ResourceLook;
  budget: OperationBudget;
  observer: Observer;
}
