const STEPS = 3e7;
/** The time of the steps on a core with 3 GHz: each step needs the result of the one before, in 5 cycles. */
const USUAL_MS = 50;
const TRIES = 5;
/** A machine that is slower still is too slow for tests of durations. */
const MAX_FACTOR = 3;

let factor: number | undefined;

/** Returns how many times as long this machine computes as a core with 3 GHz, from 1 to 3. */
export function slowness(): number {
  factor ??= Math.min(MAX_FACTOR, Math.max(1, shortestMs() / USUAL_MS));
  return factor;
}

/** Returns the shortest processor time of several tries, in milliseconds. */
function shortestMs(): number {
  return Math.min(...Array.from({ length: TRIES }, stepsMs));
}

function stepsMs(): number {
  const begun = process.cpuUsage();
  let value = 0;
  for (let step = 0; step < STEPS; step += 1) value = (value * 31 + step) | 0;
  const { user, system } = process.cpuUsage(begun);
  // The result must be used, or the compiler may leave out the steps.
  return value === 0.5 ? Infinity : (user + system) / 1_000;
}
