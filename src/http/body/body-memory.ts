import { AppError } from '../../errors.ts';

/**
 * Smaller bodies are not counted. The rate limit and the time in which they must arrive bound their memory.
 */
const UNCOUNTED_BYTES = 65_536;
/** The largest body of most routes. */
const USUAL_BYTES = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 2;

/** The memory limit for all request bodies and unread responses. */
export interface BodyMemoryOptions {
  /** The limit for all callers together. */
  totalBytes: number;
}

export interface BodySender {
  /** The account id, or the IP address of a caller without an account. */
  id: string;
  /** The number of concurrent requests of the account; `null` means no limit. */
  concurrency: number | null;
}

export interface BodyReservation {
  /**
   * Reserves memory for a body that has grown to this size.
   * @throws {AppError} RATE_LIMITED when the sender already holds its share.
   */
  reserve: (bytes: number) => void;
  /** Reserves memory in addition to that of the body. @throws {AppError} RATE_LIMITED like `reserve` */
  reserveMore: (bytes: number) => void;
  /** Throws like `reserve` for a body of this size, but reserves nothing. */
  requireRoom: (bytes: number) => void;
  release: () => void;
}

/** The large bodies of one sender. */
interface Held {
  bytes: number;
  bodies: number;
}

/**
 * Limits the memory of request bodies from their arrival to the response, and of responses until they have
 * been read. Requests beyond the limit are rejected with a time to retry.
 *
 * A sender may hold at most as much memory as remains free for others: a single sender half of the memory,
 * two senders a third each. With several bodies, it may also hold at most 32 MiB for each concurrent request
 * of its plan and for one waiting request.
 */
export class BodyMemory {
  readonly #totalBytes: number;
  readonly #held = new Map<string, Held>();
  #usedBytes = 0;

  constructor({ totalBytes }: BodyMemoryOptions) {
    this.#totalBytes = totalBytes;
  }

  /** Creates the reservation of one request, which holds no memory yet. */
  open({ id, concurrency }: BodySender): BodyReservation {
    const limitBytes = concurrency === null ? Number.POSITIVE_INFINITY : (concurrency + 1) * USUAL_BYTES;
    let ownBytes = 0;
    const check = (bytes: number): { more: number; held: Held; others: number } | undefined => {
      const more = bytes > UNCOUNTED_BYTES ? bytes - ownBytes : 0;
      if (more <= 0) return undefined;
      const held = this.#held.get(id) ?? { bytes: 0, bodies: 0 };
      const others = held.bodies - (ownBytes > 0 ? 1 : 0);
      const leavesTooLittle = held.bytes + more > this.#totalBytes - this.#usedBytes - more;
      if (leavesTooLittle || (others > 0 && held.bytes + more > limitBytes))
        throw new AppError(
          'RATE_LIMITED',
          'the service is busy with other large requests or unread responses of this account or address',
          {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          },
        );
      return { more, held, others };
    };
    const reserve = (bytes: number) => {
      const checked = check(bytes);
      if (!checked) return;
      const { more, held, others } = checked;
      this.#held.set(id, { bytes: held.bytes + more, bodies: others + 1 });
      ownBytes += more;
      this.#usedBytes += more;
    };
    return {
      requireRoom: (bytes) => void check(bytes),
      reserve,
      reserveMore: (bytes) => reserve(ownBytes + bytes),
      release: () => {
        const held = this.#held.get(id);
        if (!held || ownBytes === 0) return;
        this.#usedBytes -= ownBytes;
        if (held.bodies === 1) this.#held.delete(id);
        else this.#held.set(id, { bytes: held.bytes - ownBytes, bodies: held.bodies - 1 });
        ownBytes = 0;
      },
    };
  }
}
