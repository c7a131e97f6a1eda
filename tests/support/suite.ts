/**
 * The suite that is running, from `scripts/test-suites.mjs`. It is `default` in `npm test` and when a file
 * runs alone.
 */
const suite = process.env['TEST_SUITE'] ?? 'default';

/** Whether services keep their state in MongoDB and their files in S3. */
export const onMongoAndS3 = suite === 'servers';

/** Whether the suite runs the tests that are too slow for `npm test` or need veraPDF. */
export const isThorough = suite === 'thorough';

/** Whether the suite runs the tests that `npm test` leaves to `npm run test:all`, on each database. */
export const isBeyondNpmTest = isThorough || onMongoAndS3;

/** Returns the cases that the suite runs: every `step`th case or, in the suite `thorough`, all others. */
export function casesOfSuite<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => (index % step === 0) !== isThorough);
}
