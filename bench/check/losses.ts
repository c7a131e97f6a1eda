/** Ratios of rates, keyed by what they compare. */
export type Ratios = Readonly<Record<string, number>>;

/** The part of a ratio that it may lose, because runs differ. */
const TOLERANCE = 0.2;

/** Finds the ratios that became more than 20 % smaller, and those of which this run has no measurement. */
export function findLosses(
  measured: Ratios,
  committed: Ratios,
): { losses: { name: string; was: number; is: number }[]; missing: string[] } {
  const missing = Object.keys(committed).filter((name) => measured[name] === undefined);
  const losses = Object.entries(committed).flatMap(([name, was]) => {
    const is = measured[name];
    return is !== undefined && is < was * (1 - TOLERANCE) ? [{ name, was, is }] : [];
  });
  return { losses, missing };
}
