import { yieldToEventLoop, type Collection } from '../../src/plugin.ts';
import type { GenerationInput } from './collections.ts';
import type { PlannedInput } from './contract.ts';

/** Characters of JSON: some ten milliseconds of work for an embedded database, which works in this thread. */
const STORED_AT_ONCE = 1_000_000;
const PIECE_CHARACTERS = 1_500_000;

/** What generations in the background are made from. A long request is stored in pieces, so that no write or read takes long. */
export class GenerationInputs {
  readonly #inputs: Collection<GenerationInput>;

  constructor(inputs: Collection<GenerationInput>) {
    this.#inputs = inputs;
  }

  /** Stores the inputs of a batch, and lets other work go on between writes. */
  async store(batchId: string, planned: readonly PlannedInput[]): Promise<void> {
    const inputs = planned.flatMap(({ planned: { id }, input }) => toPieces({ id, batchId, request: input }));
    for (const some of bySize(inputs, ({ request }) => request.length, STORED_AT_ONCE)) {
      await this.#inputs.insertMany(some);
      await yieldToEventLoop();
    }
  }

  /** Reads the JSON text of a request; `undefined` when it is no longer stored. */
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

  /** Deletes the input of a generation. The first piece goes last, as it tells of the others. */
  async delete(id: string): Promise<void> {
    const [first] = await this.#inputs.find({ where: { id, pieces: { gt: 1 } }, limit: 1 });
    for (let index = (first?.pieces ?? 1) - 1; index > 0; index -= 1)
      await this.#inputs.delete({ id: pieceId(id, index) });
    await this.#inputs.delete({ id });
  }

  /** Deletes the inputs of a batch. */
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
    // A database may store text as UTF-8, in which half of a surrogate pair has no encoding.
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

/** Parts a list, in order, so that the sizes of a part add up to no more than a limit, or it has one member. */
function bySize<T>(list: readonly T[], sizeOf: (member: T) => number, limit: number): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const member of list) {
    const part = parts.at(-1);
    if (part && sizeOf(member) <= room) part.push(member);
    else {
      parts.push([member]);
      room = limit;
    }
    room -= sizeOf(member);
  }
  return parts;
}
