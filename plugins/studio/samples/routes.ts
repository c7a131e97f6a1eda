import { explainTaskFailure, invalid } from '../../../src/plugin.ts';
import type { Handlebars } from '../../documents/contract.ts';
import { MAX_SAMPLE_BODY_BYTES, SampleBody } from '../schemas.ts';
import type { Studio } from '../studio.ts';

const TASK_TIMEOUT_MS = 5_000;

const TASK_FAILURES = {
  path: 'html_content',
  deadline: 'takes too long to read',
  memory: 'takes too much memory to read',
  waiting: 'templates',
  failed: 'the template could not be read',
};

/** Mounts the route that makes sample data for a template. The template is parsed in the sandbox. */
export function mountSampleRoute({ routes, scheme }: Studio, handlebars: Handlebars): void {
  routes.post(
    '/studio/api/sample-data',
    {
      scope: 'session:editor',
      audit: null,
      hidden: true,
      maxBodyBytes: MAX_SAMPLE_BODY_BYTES,
      worksOnDocument: true,
      confirmation: { unneeded: 'stores nothing' },
      summary: 'Make sample data for a template',
      body: SampleBody,
    },
    async ({ request, signal, body: { html_content: source } }) => {
      scheme.signedIn(request);
      const inspected = await handlebars
        .inspectTemplate({ source }, { timeoutMs: TASK_TIMEOUT_MS, signal })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw explainTaskFailure(error, TASK_FAILURES);
        });
      if (!inspected.ok) throw invalid('html_content', inspected.message);
      return { data: inspected.value.sample };
    },
  );
}
