/** The suite that runs (`scripts/test-suites.mjs`); `default` is `npm test`, also when a file runs alone. */
const suite = process.env['TEST_SUITE'] ?? 'default';

/** Tells whether services keep their state in MongoDB and their files in S3. */
export const onServers = suite === 'servers';

/** Tells whether the tests run that are too slow for `npm test` or need veraPDF. */
export const isThorough = suite === 'thorough';

/** Returns the cases that the suite runs: in `npm test` every `step`th one, in the thorough suite the others. */
export function casesOfSuite<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => (index % step === 0) !== isThorough);
}
