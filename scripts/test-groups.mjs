/** Files of `tests/api` by the first letter of their names. */
const api = (/** @type {string} */ letters) => Array.from(letters, (letter) => `tests/api/${letter}`);

/**
 * All tests, in processes side by side, which take about as long: most tests wait most of the time for a deadline, a lease or a restart.
 * `tests/architecture.test.ts` sees to it that each file is in one group.
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
