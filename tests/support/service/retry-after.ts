/** Waits as long as a refused request must wait before it is sent again. */
export async function waitToRetry(headers: Headers): Promise<void> {
  // Real time: the service counts the time that `Retry-After` names.
  await Bun.sleep(1_000 * Number(headers.get('retry-after')));
}
