import { yieldToEventLoop, type Collection } from '../../src/plugin.ts';
import type { PlannedGeneration } from '../render/contract.ts';
import type { GenerationInput } from './collections.ts';

/** A planned generation and its request as JSON text. */
export interface PlannedInput {
  planned: PlannedGeneration;
  input: string;
}

/** The number of characters that are written at once. The embedded database needs about ten milliseconds for them, in this thread. */
const CHARACTERS_PER_WRITE = 1_000_000;
const PIECE_CHARACTERS = 1_500_000;

/** The stored requests of items. A long request is stored in pieces, so that no single write or read takes long. */
export class ItemInputs {
  readonly #inputs: Collection<GenerationInput>;

  constructor(inputs: Collection<GenerationInput>) {
    this.#inputs = inputs;
  }

  /** Stores the requests of a batch. Yields to other work between writes. */
  async store(batchId: string, planned: readonly PlannedInput[]): Promise<void> {
    const inputs = planned.flatMap(({ planned: { id }, input }) => toPieces({ id, batchId, request: input }));
    for (const chunk of chunkBySize(inputs, ({ request }) => request.length, CHARACTERS_PER_WRITE)) {
      await this.#inputs.insertMany(chunk);
      await yieldToEventLoop();
    }
  }

  /** Reads the JSON text of a request. Returns `undefined` if the request has been deleted. */
  async read(id: string): Promise<string | undefined> {
    const first = await this.#inputs.get(id);
    if (!first) return undefined;
    const pieces = [first.request];
    for (let index = 1; index < (first.pieces ?? 1); index += 1) {
      await yieldToEventLoop();
      const piece = await this.#inputs.get(pieceId(id, index));
      if (!piece) return undefined;
      pieces.push(piece.request);
    }
    return pieces.join('');
  }

  /** Deletes the request of a generation. Deletes the first piece last, because it holds the number of pieces. */
  async delete(id: string): Promise<void> {
    const [first] = await this.#inputs.find({ where: { id, pieces: { gt: 1 } }, limit: 1 });
    for (let index = (first?.pieces ?? 1) - 1; index > 0; index -= 1)
      await this.#inputs.delete({ id: pieceId(id, index) });
    await this.#inputs.delete({ id });
  }

  /** Counts the generations whose requests are stored. */
  async count(generationIds: readonly string[]): Promise<number> {
    return this.#inputs.count({ id: { in: generationIds } });
  }

  /** Deletes the requests of a batch. */
  async deleteBatch(batchId: string): Promise<void> {
    await this.#inputs.delete({ batchId });
  }
}

function pieceId(id: string, index: number): string {
  return index === 0 ? id : `${id}/${index}`;
}

function toPieces({ id, batchId, request }: GenerationInput): GenerationInput[] {
  if (request.length <= PIECE_CHARACTERS) return [{ id, batchId, request }];
  const texts: string[] = [];
  for (let start = 0, end = 0; start < request.length; start = end) {
    end = start + PIECE_CHARACTERS;
    // A database may store text as UTF-8, which cannot encode half of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(request.charAt(end - 1))) end -= 1;
    texts.push(request.slice(start, end));
  }
  return texts.map((text, index) => ({
    id: pieceId(id, index),
    batchId,
    request: text,
    ...(index === 0 && { pieces: texts.length }),
  }));
}

/** Splits a list into chunks, in order. The sizes in a chunk add up to at most the limit, unless the chunk has one member. */
function chunkBySize<T>(list: readonly T[], sizeOf: (member: T) => number, limit: number): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const member of list) {
    const chunk = chunks.at(-1);
    if (chunk && sizeOf(member) <= room) chunk.push(member);
    else {
      chunks.push([member]);
      room = limit;
    }
    room -= sizeOf(member);
  }
  return chunks;
}
