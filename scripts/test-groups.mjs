/** Returns path filters for the files of `tests/api` whose names begin with one of the letters. */
const api = (/** @type {string} */ letters) => Array.from(letters, (letter) => `tests/api/${letter}`);

/**
 * The tests that run in each of three parallel processes. The groups take about equally long; most of the time is spent waiting for deadlines,
 * leases and restarts. `tests/architecture.test.ts` checks that each file is in exactly one group.
 */
export const TEST_GROUPS = [
  ['tests/chaos/', 'tests/security/', 'plugins/'],
  [
    ...api('abcdefghijkl'),
    'tests/conformance/',
    'tests/corpus/',
    'tests/forms/',
    'tests/pdfa/',
    'src/',
    'packages/',
  ],
  [
    ...api('mnopqrstuvwxyz'),
    'tests/support/',
    'tests/architecture.test.ts',
    'tests/templates-doc.test.ts',
    'tests/deployment.test.ts',
  ],
];
