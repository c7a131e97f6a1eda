import { reportGarbage } from '@platen/runtime';
import { yieldToEventLoop, type Collection, type Sealer } from '../../../src/plugin.ts';
import type { PlannedInput } from '../contract.ts';
import type { GenerationInput } from './collections.ts';
import { writeRequest } from './stored-request.ts';

/**
 * The number of characters that are written at once. The embedded database needs about ten milliseconds for
 * them, in this thread.
 */
const CHARACTERS_PER_WRITE = 1_000_000;
const PIECE_CHARACTERS = 1_500_000;
/**
 * How many copies of a text are garbage after it has been written or read: its document in the database, its
 * pieces, and the text itself.
 */
const COPIES = 3;

/**
 * The stored requests of queued generations. A long request is stored in pieces, so that no single write or
 * read takes long.
 */
export class StoredInputs {
  readonly #inputs: Collection<GenerationInput>;
  readonly #sealer: Sealer;

  /** @param sealer encrypts URLs and their credentials. */
  constructor(inputs: Collection<GenerationInput>, sealer: Sealer) {
    this.#inputs = inputs;
    this.#sealer = sealer;
  }

  /**
   * Stores the requests of a batch, with the text of a few at a time in memory. Yields to other work between
   * writes.
   */
  async store(batchId: string, planned: readonly PlannedInput[]): Promise<void> {
    for (const chunk of chunksBySize(this.#toPieces(batchId, planned), CHARACTERS_PER_WRITE)) {
      await this.#inputs.insertMany(chunk);
      await yieldToEventLoop();
      reportGarbage(COPIES * chunk.reduce((sum, { request }) => sum + request.length, 0));
    }
  }

  /** Reads the JSON text of a request. Returns `undefined` if the request has been deleted. */
  async read(id: string): Promise<string | undefined> {
    const first = await this.#inputs.get(id);
    return first ? this.#readFrom(first) : undefined;
  }

  /**
   * Reads a request like {@link read}, unless it is stored in several pieces: then `isLong` is set, and
   * nothing of it stays in memory.
   */
  async readShort(id: string): Promise<{ isLong: boolean; text?: string | undefined }> {
    const first = await this.#inputs.get(id);
    if (!first) return { isLong: false };
    if (typeof first.pieces !== 'number') return { isLong: false, text: await this.#readFrom(first) };
    reportGarbage(COPIES * first.request.length);
    return { isLong: true };
  }

  async #readFrom(first: GenerationInput): Promise<string | undefined> {
    const pieces = [first.request];
    for (let index = 1; index < (first.pieces ?? 1); index += 1) {
      await yieldToEventLoop();
      const piece = await this.#inputs.get(pieceId(first.id, index));
      if (!piece) return undefined;
      pieces.push(piece.request);
    }
    const text = pieces.join('');
    reportGarbage(COPIES * text.length);
    return text;
  }

  /**
   * Deletes the request of a generation. Deletes the first piece last, because it holds the number of pieces.
   */
  async delete(id: string): Promise<void> {
    // Most requests are one piece.
    if ((await this.#inputs.delete({ id, pieces: null })) > 0) return;
    const first = await this.#inputs.get(id);
    for (let index = (first?.pieces ?? 1) - 1; index > 0; index -= 1)
      await this.#inputs.delete({ id: pieceId(id, index) });
    await this.#inputs.delete({ id });
  }

  /** Counts the generations whose requests are stored. */
  async count(generationIds: readonly string[]): Promise<number> {
    return this.#inputs.count({ id: { in: generationIds } });
  }

  async deleteBatch(batchId: string): Promise<void> {
    await this.#inputs.delete({ batchId });
  }

  *#toPieces(batchId: string, planned: readonly PlannedInput[]): Generator<GenerationInput> {
    for (const { planned: generation, request } of planned) {
      const { id } = generation;
      const text = writeRequest(id, request, this.#sealer);
      if (text.length <= PIECE_CHARACTERS) yield { id, batchId, request: text };
      else yield* splitLong({ id, batchId, request: text });
    }
  }
}

function pieceId(id: string, index: number): string {
  return index === 0 ? id : `${id}/${index}`;
}

function splitLong({ id, batchId, request }: GenerationInput): GenerationInput[] {
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

/**
 * Groups requests into chunks, in order. The characters of a chunk add up to at most the limit, unless it has
 * one member.
 */
function* chunksBySize(requests: Iterable<GenerationInput>, limit: number): Generator<GenerationInput[]> {
  let chunk: GenerationInput[] = [];
  let characters = 0;
  for (const member of requests) {
    const { length } = member.request;
    if (chunk.length > 0 && characters + length > limit) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(member);
    characters += length;
  }
  if (chunk.length > 0) yield chunk;
}
