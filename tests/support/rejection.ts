/** Resolves with the rejection reason, or with `null` if the promise is fulfilled. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}
