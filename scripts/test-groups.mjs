/**
 * All tests, in processes side by side: most of them wait most of the time for a deadline, a lease or a restart.
 * `tests/architecture.test.ts` sees to it that each file is in one group.
 */
export const TEST_GROUPS = [
  ['tests/chaos/', 'tests/security/'],
  ['tests/conformance/', 'tests/corpus/', 'tests/forms/', 'tests/pdfa/', 'src/', 'plugins/'],
  ['tests/api/', 'tests/support/', 'tests/architecture.test.ts', 'tests/deployment.test.ts'],
];
