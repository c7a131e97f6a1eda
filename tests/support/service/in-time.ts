import type { ApiResponse } from './service.ts';

const ATTEMPTS = 10;

/**
 * Sends a request that must succeed to a service with a short deadline. Sends it again while it exceeds the
 * deadline, as it may on a busy machine, and returns the last response.
 */
export function inTime(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return untilResponse(send, ({ body }) => body?.error?.details?.[0]?.code !== 'RENDER_TIMEOUT');
}

/** Sends a request until its response is as expected, at most ten times, and returns the last response. */
export async function untilResponse(
  send: () => Promise<ApiResponse>,
  isExpected: (answer: ApiResponse) => boolean,
): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send();
    if (attempt === ATTEMPTS || isExpected(answer)) return answer;
  }
}
