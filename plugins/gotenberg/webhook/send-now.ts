import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Log } from '../../../src/plugin.ts';
import { waitBefore } from '../outbound/headers.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Settings } from '../settings.ts';
import {
  eventMessage,
  outcomeMessage,
  sendOnce,
  type Failure,
  type Message,
  type Outcome,
} from './message.ts';
import type { WebhookTarget } from './target.ts';

/** The services that {@link createSendNow} uses. */
interface SendNowParts {
  outbound: Outbound;
  settings: Pick<Settings, 'webhook' | 'traceHeader'>;
  /** Describes an error as the response to a caller would. */
  describe: (error: AppError) => Failure;
  log: Log;
}

/**
 * Creates the function that sends an outcome while the caller waits, for `WEBHOOK_ENABLE_SYNC_MODE`. The URL
 * of errors gets a failure of the work, and a failure to deliver the result.
 */
export function createSendNow({ outbound, settings: { webhook, traceHeader }, describe, log }: SendNowParts) {
  /** Returns the failure if a message cannot be delivered. */
  async function deliver(message: Message | undefined, signal: AbortSignal): Promise<Failure | null> {
    if (!message) return null;
    const { timeoutMs, maxRetries, minWaitMs: minMs, maxWaitMs: maxMs } = webhook;
    for (let tries = 1; ; tries += 1) {
      const attempt = await sendOnce(outbound, message, { timeoutMs, signal });
      if (attempt.isSent) return null;
      if (!attempt.isWorthRetrying || tries > maxRetries) {
        log.info({ host: new URL(message.url).host, reason: attempt.reason }, 'request to webhook failed');
        return attempt.failure;
      }
      const wait = waitBefore(tries, { minMs, maxMs, retryAfter: attempt.retryAfter });
      await sleep(wait, undefined, { signal });
    }
  }

  return async (
    target: WebhookTarget,
    makeOutcome: () => Promise<Outcome>,
    { trace, signal }: { trace: string; signal: AbortSignal },
  ): Promise<void> => {
    const sender = { trace: { header: traceHeader, trace }, settings: webhook };
    let failure: Failure | null;
    try {
      failure = await deliver(outcomeMessage(target, await makeOutcome(), sender), signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure = describe(error);
    }
    if (failure) await deliver(outcomeMessage(target, { failure }, sender), signal);
    await deliver(eventMessage(target, failure, sender), signal);
  };
}
