import type { CollectionSpec } from '../../../src/plugin.ts';

/**
 * The request of a generation that no caller waits for, or one piece of it, stored until the generation has
 * ended. The id of the first piece is the generation's.
 */
export interface GenerationInput {
  id: string;
  /** The id of the batch; the id of the account for a generation outside batches. */
  batchId: string;
  /**
   * A `DocumentRequest` as JSON text (`stored-request.ts`): its size is known, and no rule of a database
   * applies to the caller's data.
   */
  request: string;
  /** The number of pieces; only in the first of several. */
  pieces?: number | null;
}

/** The largest request of a generation that no caller waits for, in bytes. */
export const MAX_INPUT_BYTES = 12_000_000;

/** The requests of queued generations that have not ended. */
export const generationInputs: CollectionSpec<GenerationInput> = {
  name: 'generation_inputs',
  indexes: [{ fields: { batchId: 'asc' } }],
};
