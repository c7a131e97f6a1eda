import { PdfError, type Operation } from '../../../../src/pdf/pdf.ts';
import type { Box } from '../../../../src/pdf/pdf.ts';
import type { GraphicsState } from './graphics-state.ts';
import type { Transparency } from './transparency.ts';

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

/** What content is run in. */
export interface Setting {
  transparency: Transparency;
  budget: OperationBudget;
  observer: Observer;
}
