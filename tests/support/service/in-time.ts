import type { ApiResponse } from './service.ts';

const RETRY_MS = 45_000;

/**
 * Sends a request that must succeed to a service with a short deadline. Sends it again while it exceeds the
 * deadline, as it may on a busy machine, and returns the last response.
 */
export function inTime(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return untilResponse(send, ({ body }) => body?.error?.details?.[0]?.code !== 'RENDER_TIMEOUT');
}

/** Sends a request until the service is not overloaded, as on a busy machine, and returns the last response. */
export function whenNotBusy(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return untilResponse(send, ({ status }) => status !== 503);
}

/** Sends a request until its response is as expected, for at most 45 s, and returns the last response. */
export async function untilResponse(
  send: () => Promise<ApiResponse>,
  isExpected: (answer: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const giveUpAt = Date.now() + RETRY_MS;
  for (;;) {
    const answer = await send();
    if (isExpected(answer) || Date.now() > giveUpAt) return answer;
  }
}
