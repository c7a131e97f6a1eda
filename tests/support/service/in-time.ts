import type { ApiResponse } from './service.ts';

const RETRY_MS = 45_000;
/** A task of the sandbox may run for a minute before the service says that it is overloaded. */
const MIN_TRIES = 3;

/**
 * Sends a request that must succeed to a service with a short deadline. Sends it again while it exceeds the
 * deadline, as it may on a busy machine, and returns the last response.
 */
export function inTime(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return untilResponse(send, ({ body }) => body?.error?.details?.[0]?.code !== 'RENDER_TIMEOUT');
}

/** Sends a request until the service is not overloaded, as on a busy machine, and returns the last response. */
export function whenNotBusy<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  return untilResponse(send, ({ status }) => status !== 503);
}

/**
 * Sends a request until its response is as expected, for at most 45 s but at least three times, and returns
 * the last response.
 */
export async function untilResponse<T>(
  send: () => Promise<T>,
  isExpected: (answer: T) => boolean,
): Promise<T> {
  const giveUpAt = Date.now() + RETRY_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (isExpected(answer) || (tries >= MIN_TRIES && Date.now() > giveUpAt)) return answer;
  }
}
