import { explainTaskFailure, type Sandbox } from '../../../src/plugin.ts';
import type { TestMark } from '../contract.ts';
import { unwrapTaskResult } from '../pdf-output.ts';
import { createClaimChecks } from '../proof/provenance-draft.ts';
import type { LoadedPdf } from '../references.ts';
import { isTestWork } from './test-work.ts';

/** The name of the step that marks a PDF, in its proof. */
export const TEST_MARK_STEP = 'test-mark';

/** As long as a conversion to PDF/A, because claims are checked again. */
const TIMEOUT_MS = 60_000;

/** Creates the service, whose work runs in the sandbox. */
export function createTestMark(sandbox: Sandbox): TestMark {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  const { confirm } = createClaimChecks(sandbox);
  const mark = async (pdf: LoadedPdf) =>
    unwrapTaskResult('pdf', tasks.markPdf({ pdf }, { timeoutMs: TIMEOUT_MS }), TIMEOUT_MS);

  return {
    markPdf: async (pdf) => (await mark({ raw: pdf })) ?? pdf,
    markImage: (image, { field, format, quality }) =>
      tasks.markImage({ image, format, quality }, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        throw explainTaskFailure(error, {
          path: field,
          memory: 'marking the image exceeds the memory limit; make it smaller',
          deadline: 'marking the image takes too long; make it smaller',
          waiting: 'images',
          failed: 'the image could not be marked',
        });
      }),
    async markInput(pdf) {
      const marked = isTestWork() ? await mark(pdf) : null;
      return marked ? { raw: marked } : pdf;
    },
    async markResult(made) {
      if (!isTestWork() || made.isMarked) return made;
      const pdf = await mark({ raw: made.pdf });
      if (!pdf) return made;
      if (!made.claims?.length) return { ...made, pdf };
      const steps = [...(made.steps ?? []), { do: TEST_MARK_STEP }];
      return { ...made, pdf, claims: await confirm(pdf), steps };
    },
  };
}
