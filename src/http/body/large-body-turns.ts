import { FairQueue } from '../../fair-queue.ts';
import { reportGarbage } from '@platen/runtime';
import { yieldToEventLoop } from '../../time-slice.ts';

/** Smaller bodies do not wait. */
const LARGE_BYTES = 8_000_000;
const ONE_AT_A_TIME = { key: 'large body', limit: 1 };

export interface BodyTurn {
  /**
   * Waits for a turn if the body is large. Call this at most once.
   * @throws {AppError} RATE_LIMITED when too many bodies are waiting
   */
  begin(bytes: number): Promise<void>;
  /** Ends the turn. Call this also after a failure. */
  end(): void;
}

/**
 * Limits the large bodies that are parsed and stored to one at a time, because parsed values and stored texts
 * take several times the size of a body. For routes that respond as soon as the body is stored.
 */
export class LargeBodyTurns {
  readonly #queue = new FairQueue({
    concurrency: 1,
    queueLimit: 100,
    maxWaitMs: 30_000,
    busyMessage: 'the service is busy: too many large requests are waiting',
  });

  /** Creates the turn of one request of an account. */
  open(account: string, signal: AbortSignal): BodyTurn {
    const ended = Promise.withResolvers<void>();
    return {
      begin: (bytes) =>
        bytes < LARGE_BYTES
          ? Promise.resolve()
          : new Promise((resolve, reject) => {
              const share = { account, urgency: 'caller', signal, resources: [ONE_AT_A_TIME] } as const;
              const work = async () => {
                resolve();
                await ended.promise;
                // The values of the handler are garbage after it has returned.
                await yieldToEventLoop();
                reportGarbage(bytes);
              };
              this.#queue.run(share, work).catch(reject);
            }),
      end: () => ended.resolve(),
    };
  }
}
