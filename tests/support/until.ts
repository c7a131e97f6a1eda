// Less than the time limit of a test in `scripts/test.mjs`, so that the failure names the condition's test
// and line.
const LIMIT_MS = 50_000;
/** How often a steady value is read. */
const STEADY_READS = 30;

/**
 * Waits for a condition. The limit only ends a test that hangs; it does not measure speed.
 * @throws {Error} after the limit, by default 50 s.
 */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`the condition was not met within ${limitMs / 1000} s`);
    await Bun.sleep(10);
  }
}

/**
 * Waits until a value that work of this process changes stays the same during thirty turns of the event loop.
 * The work gets as many turns on a busy machine.
 */
export async function untilSteady(read: () => number): Promise<void> {
  let before = read();
  for (let same = 0; same < STEADY_READS; same += 1) {
    await Bun.sleep(10);
    const now = read();
    if (now !== before) same = 0;
    before = now;
  }
}
