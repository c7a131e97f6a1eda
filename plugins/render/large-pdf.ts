import type { Share } from '@platen/runtime';
import type { FairQueue } from '../../src/plugin.ts';
import type { printCommand } from './print/print-options.ts';
import { RenderError } from './render-error.ts';
import type { PageSession } from './browser/page-session.ts';

/** The maximum size of a PDF. */
export const MAX_PDF_BYTES = 128 * 1024 * 1024;

const PIECE_BYTES = 1024 * 1024;

/**
 * Prints a PDF and reads it from the browser as a stream. This is slower than one message but uses only as
 * much memory as the PDF.
 * @throws {RenderError} when the PDF is larger than {@link MAX_PDF_BYTES}.
 */
export async function printLargePdf(
  session: PageSession,
  command: ReturnType<typeof printCommand>,
  memory: LargePdfMemory,
): Promise<Buffer> {
  const { stream: handle } = await session.send('Page.printToPDF', {
    ...command,
    transferMode: 'ReturnAsStream',
  });
  if (handle === undefined) throw new Error('the browser did not return a stream');
  // The operating system provides memory only once something is written to it.
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

/**
 * Memory for the large PDF or image of one document. Documents wait for it in a queue, so the service holds
 * one large file at a time.
 */
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

  /** Waits until memory is available. @throws {AppError} RATE_LIMITED when too many documents are waiting */
  lock(): Promise<void> {
    this.#entered ??= new Promise((resolve, reject) => {
      const share = { ...this.#share, resources: [ONE_AT_A_TIME] };
      this.#queue.run(share, () => (resolve(), this.#released.promise)).catch(reject);
    });
    return this.#entered;
  }

  /** Allocates the buffer of the PDF, which is valid until the memory is released. */
  allocate(bytes: number): Buffer {
    this.#free();
    this.#buffer = new ArrayBuffer(bytes);
    return Buffer.from(this.#buffer);
  }

  /**
   * Frees the memory. A document that still waits for it gives up its turn. Call this once, also after a
   * failure.
   */
  release(): void {
    this.#free();
    this.#released.resolve();
  }

  /**
   * Detaches the buffer and collects the garbage of the stream at once, because the next collection may be
   * far away.
   */
  #free(): void {
    if (!this.#buffer) return;
    this.#buffer.transfer(0);
    this.#buffer = undefined;
    Bun.gc(true);
  }
}
