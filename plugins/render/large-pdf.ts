import type { CDPSession } from 'playwright-core';
import type { FairQueue, Share } from '../../src/plugin.ts';
import type { printCommand } from './print-options.ts';
import { RenderError } from './render-error.ts';

/** The largest PDF that is made. */
export const MAX_PDF_BYTES = 128 * 1024 * 1024;

const PIECE_BYTES = 1024 * 1024;

/**
 * Prints a PDF that the browser keeps, and reads it from there in pieces. It takes longer than a PDF in one message, and no more memory than
 * the PDF. @throws {RenderError} when the PDF is larger than {@link MAX_PDF_BYTES}.
 */
export async function printLargePdf(
  session: CDPSession,
  command: ReturnType<typeof printCommand>,
  memory: LargePdfMemory,
): Promise<Buffer> {
  const { stream: handle } = await session.send('Page.printToPDF', {
    ...command,
    transferMode: 'ReturnAsStream',
  });
  if (handle === undefined) throw new Error('the browser keeps no PDF');
  // Memory that nothing was written to is not used.
  const pdf = memory.allocate(MAX_PDF_BYTES);
  try {
    for (let size = 0; ;) {
      const {
        data,
        base64Encoded = false,
        eof,
      } = await session.send('IO.read', { handle, size: PIECE_BYTES });
      const piece = Buffer.from(data, base64Encoded ? 'base64' : 'latin1');
      if (size + piece.length > MAX_PDF_BYTES)
        throw new RenderError('RENDER_FAILED', `the PDF is larger than ${MAX_PDF_BYTES / 1024 ** 2} MiB`);
      pdf.set(piece, size);
      size += piece.length;
      if (eof) return pdf.subarray(0, size);
    }
  } finally {
    // The page may be gone.
    session.send('IO.close', { handle }).catch(() => {});
  }
}

const ONE_AT_A_TIME = { key: 'large PDF', limit: 1 };

/** The memory for the large PDF of one document. Documents share it through a queue, and the service holds one large PDF at a time. */
export class LargePdfMemory {
  readonly #queue: FairQueue;
  readonly #share: Share;
  readonly #released = Promise.withResolvers<void>();
  #entered: Promise<void> | undefined;
  #buffer: ArrayBuffer | undefined;

  constructor(queue: FairQueue, share: Share) {
    this.#queue = queue;
    this.#share = share;
  }

  /** Waits until there is memory. @throws {AppError} RATE_LIMITED when too many documents wait for it. */
  lock(): Promise<void> {
    this.#entered ??= new Promise((resolve, reject) => {
      const share = { ...this.#share, resources: [ONE_AT_A_TIME] };
      this.#queue.run(share, () => (resolve(), this.#released.promise)).catch(reject);
    });
    return this.#entered;
  }

  /** Makes the buffer of the PDF. It may be used until the memory is released. */
  allocate(bytes: number): Buffer {
    this.#free();
    this.#buffer = new ArrayBuffer(bytes);
    return Buffer.from(this.#buffer);
  }

  /** Frees the memory, now or as soon as it is locked. To be called once, whatever becomes of the document. */
  release(): void {
    this.#free();
    this.#released.resolve();
  }

  /** Detaches the buffer, and collects the pieces that it was read in: the next collection of garbage may be far off. */
  #free(): void {
    if (!this.#buffer) return;
    this.#buffer.transfer(0);
    this.#buffer = undefined;
    Bun.gc(true);
  }
}
