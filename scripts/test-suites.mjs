import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * Test files that do not run in `npm test`, and test files that run in several suites. Files not listed here run in `npm test` only.
 * A folder ends with a slash. `tests/repository.test.ts` checks that every entry exists.
 * @type {Record<'servers' | 'thorough', { alone: string[], also: string[] }>}
 */
export const TEST_SUITES = {
  // On MongoDB and S3. The files under `also` choose their drivers by `TEST_SUITE`.
  servers: {
    alone: [
      'tests/api/mongodb.test.ts',
      'tests/chaos/mongo-away.test.ts',
      'tests/chaos/replicas.test.ts',
      'tests/chaos/s3-away.test.ts',
      'tests/conformance/mongo.test.ts',
      'tests/conformance/s3.test.ts',
    ],
    also: [
      'tests/api/',
      'tests/chaos/batch.test.ts',
      'tests/conformance/asset-limits.test.ts',
      'tests/conformance/batch-cancel.test.ts',
      'tests/conformance/deletions.test.ts',
      'tests/conformance/file-writes.test.ts',
      'tests/conformance/idempotency.test.ts',
      'tests/conformance/killed-deletions.test.ts',
      'tests/conformance/jobs.test.ts',
      'tests/conformance/jobs-fairness.test.ts',
      'tests/conformance/jobs-metrics.test.ts',
      'tests/conformance/jobs-order.test.ts',
      'tests/conformance/orphans.test.ts',
      'tests/conformance/plugin-collections.test.ts',
      'tests/conformance/quota.test.ts',
      'tests/conformance/webhooks.test.ts',
      'tests/conformance/webhooks-fairness.test.ts',
    ],
  },
  // Tests that are too slow for `npm test` or need veraPDF. The files under `also` run more cases here than in `npm test`.
  thorough: {
    alone: [
      'tests/accessibility/conformance.test.ts',
      'tests/accessibility/signed.test.ts',
      'tests/accessibility/size.test.ts',
      'tests/accessibility/ua-rules-verapdf.test.ts',
      'tests/api/accounts-data.test.ts',
      'tests/api/document-assets.test.ts',
      'tests/api/empty-lists.test.ts',
      'tests/api/large-bodies.test.ts',
      'tests/api/libraries.test.ts',
      'tests/api/pdf-protect-readers.test.ts',
      'tests/api/pdf-sign-external.test.ts',
      'tests/api/studio-devices.test.ts',
      'tests/chaos/batch-drain.test.ts',
      'tests/chaos/batch.test.ts',
      'tests/chaos/full-disk.test.ts',
      'tests/chaos/hostile-memory.test.ts',
      'tests/chaos/idempotency.test.ts',
      'tests/chaos/lifecycle.test.ts',
      'tests/chaos/sandbox.test.ts',
      'tests/chaos/starved-tasks.test.ts',
      'tests/chaos/webhooks.test.ts',
      'tests/conformance/killed-deletions.test.ts',
      'tests/guides/commands.test.ts',
      'tests/guides/programs.test.ts',
      'tests/invoices/mustang.test.ts',
      'tests/pdfa/conversion.test.ts',
      'tests/pdfa/growth.test.ts',
      'tests/pdfa/rules.test.ts',
      'tests/security/page-egress-url.test.ts',
      'tests/security/signature-egress.test.ts',
      'tests/security/url-credentials.test.ts',
      'tests/signatures/changes.test.ts',
      'tests/signatures/honest.test.ts',
      'tests/signatures/levels.test.ts',
      'tests/signatures/layouts.test.ts',
      'tests/signatures/mutations.test.ts',
      'tests/signatures/verify.test.ts',
      'tests/starters-matrix.test.ts',
      'tests/studio/account.test.ts',
      'tests/studio/documents.test.ts',
      'tests/studio/editing.test.ts',
      'tests/studio/editor.test.ts',
      'tests/studio/flows.test.ts',
      'tests/studio/files.test.ts',
      'tests/studio/history.test.ts',
      'tests/studio/hostile.test.ts',
      'tests/studio/long-lists.test.ts',
      'tests/studio/palette.test.ts',
      'tests/studio/screens.test.ts',
      'tests/studio/standards.test.ts',
      'tests/studio/tools.test.ts',
      'tests/studio/trash.test.ts',
    ],
    also: [
      'packages/signatures/verify/attacks.test.ts',
      'packages/signatures/verify/verify.test.ts',
      'tests/api/docs.test.ts',
      'tests/api/document-faults.test.ts',
      'tests/api/document-fonts.test.ts',
      'tests/api/forms-hostile.test.ts',
      'tests/api/generate-signature.test.ts',
      'tests/api/image-results.test.ts',
      'tests/api/markdown.test.ts',
      'tests/api/paged-media.test.ts',
      'tests/api/pdf-compare.test.ts',
      'tests/api/pdf-hostile.test.ts',
      'tests/api/pdf-invoice.test.ts',
      'tests/api/pdf-sign-certificate.test.ts',
      'tests/api/pdf-validate.test.ts',
      'tests/api/pdf-verify.test.ts',
      'tests/api/pdfa-levels.test.ts',
      'tests/api/react-faults.test.ts',
      'tests/api/receipts-causes.test.ts',
      'tests/api/rendering-identity.test.ts',
      'tests/api/results-open.test.ts',
      'tests/api/sandbox-fairness.test.ts',
      'tests/api/starters.test.ts',
      'tests/api/uploaded-faces.test.ts',
      'tests/api/wait-for.test.ts',
      'tests/chaos/hostile-components.test.ts',
      'tests/chaos/hostile-documents.test.ts',
      'tests/chaos/isolation.test.ts',
      'tests/chaos/neighbours.test.ts',
      'tests/corpus/corpus.test.ts',
      'tests/forms/forms.test.ts',
      'tests/pdfa/claims.test.ts',
      'tests/pdfa/fonts.test.ts',
      'tests/pdfa/transparency.test.ts',
      'tests/plugins.test.ts',
      'tests/security/event-loop.test.ts',
      'tests/security/page-egress.test.ts',
    ],
  },
};

/** @typedef {'default' | keyof typeof TEST_SUITES} SuiteName */

/** Lists all test files, from the root. */
export function listTestFiles() {
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
  const isIn = (/** @type {string[]} */ entries, /** @type {string} */ file) =>
    entries.some((entry) => (entry.endsWith('/') ? file.startsWith(entry) : file === entry));
  const { servers, thorough } = TEST_SUITES;
  return listTestFiles().filter((file) => {
    if (suite === 'default') return !isIn([...servers.alone, ...thorough.alone], file);
    const { alone, also } = TEST_SUITES[suite];
    return isIn([...alone, ...also], file);
  });
}
