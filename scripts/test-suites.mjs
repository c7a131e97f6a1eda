import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * Folders of `tests/api` whose tests are about the content of documents, which does not depend on the drivers,
 * and their files that are also about stored records.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ABOUT_DOCUMENTS = {
  browserless: [],
  forms: ['fill'],
  gotenberg: ['webhook'],
  office: [],
  'pdf-tools': ['certificates', 'merge-split', 'pipeline', 'pipeline-callers', 'pipeline-generate', 'sign'],
  render: ['async', 'async-queue', 'generate', 'generations', 'image-results', 'preview', 'receipts'],
  wkhtmltopdf: [],
};

/** Tells whether a test of the API is about stored records. */
function isAboutRecords(/** @type {string} */ path) {
  const [, folder = '', name = ''] = /^tests\/api\/([^/]+)\/([^/.]+)/.exec(path) ?? [];
  return folder !== '' && (ABOUT_DOCUMENTS[folder]?.includes(name) ?? true);
}

/**
 * The suites of test files. The name of a file says where it runs: `name.servers.test.ts`,
 * `name.thorough.test.ts` and `name.timing.test.ts` run only in the suite of their suffix, and every other file
 * runs in `npm test`. A file also runs in each suite by which it chooses its tests, which `also` tells from its
 * path and text.
 * @type {Record<'servers' | 'thorough' | 'timing', { suffix: string, also?: (path: string, text: string) => boolean }>}
 */
const SUITES = {
  // On MongoDB and S3: the tests of the API except those about the content of documents, and the tests of
  // drivers. Services and job deployments choose their drivers by suite.
  servers: {
    suffix: '.servers.test.ts',
    also: (path, text) =>
      isAboutRecords(path) || /^import \{[^}]*\b(?:onMongoAndS3|deployments)\b/m.test(text),
  },
  // Tests that are too slow for `npm test` or need veraPDF, and more cases of the tests in `npm test`. Tests
  // of packages, which import nothing of the service, read the variable themselves.
  thorough: {
    suffix: '.thorough.test.ts',
    also: (_path, text) =>
      /^import \{[^}]*\b(?:isThorough|isBeyondNpmTest|casesOfSuite)\b|process\.env\['TEST_SUITE'\] === 'thorough'/m.test(
        text,
      ),
  },
  // Tests that compare durations or need their share of the processors. They run one after another, when
  // nothing else runs.
  timing: { suffix: '.timing.test.ts' },
};

/** @typedef {'default' | keyof typeof SUITES} SuiteName */

/** Lists all test files, from the root. */
function listTestFiles() {
  return ['packages', 'plugins', 'src', 'tests']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    )
    .toSorted();
}

/** Lists the test files of a suite. @returns {string[]} */
export function filesOf(/** @type {SuiteName} */ suite) {
  const files = listTestFiles();
  if (suite === 'default')
    return files.filter((file) => !Object.values(SUITES).some(({ suffix }) => file.endsWith(suffix)));
  const { suffix, also } = SUITES[suite];
  return files.filter(
    (file) => file.endsWith(suffix) || also?.(file, readFileSync(join(root, file), 'utf8')),
  );
}
