// Less than the time limit of a test in `scripts/test.mjs`, so that the failure names the condition's test and line.
const LIMIT_MS = 50_000;

/** Waits for a condition. The limit only ends a test that hangs; it does not measure speed. @throws {Error} after the limit, by default 50 s. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`the condition was not met within ${limitMs / 1000} s`);
    await Bun.sleep(10);
  }
}
