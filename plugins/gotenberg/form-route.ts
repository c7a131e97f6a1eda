import { AppError, type Routes } from '../../src/plugin.ts';
import { downloadFiles } from './download-from/download-from.ts';
import { readFields, text, type Fields, type FieldValues } from './form/fields.ts';
import { bodyOf } from './form/form-body.ts';
import type { Outbound } from './outbound/outbound.ts';
import { requestHeadersOf } from './request-headers.ts';
import { readOutputName, respond, type Output } from './respond.ts';
import type { Settings } from './settings.ts';
import { withinLimit } from './time-limit.ts';
import { traceOf } from './trace.ts';
import { readTarget, type WebhookTarget } from './webhook/target.ts';
import type { FormWork, WebhookCalls } from './webhook/webhook-calls.ts';
import type { Outcome } from './webhook/message.ts';
import { readOutcomeFile } from './webhook/outcome-file.ts';

/** One request to a form route. Its work may run after the response, when the request has a webhook. */
export interface FormCall<F extends Fields> extends FormWork {
  /** The values of the fields of the route. */
  values: FieldValues<F>;
}

/** A route that takes a form and makes files. */
export interface FormRoute<F extends Fields> {
  /** Below the root path, such as `forms/pdfengines/merge`. */
  path: `forms/${string}`;
  scope: 'generate' | 'pdf';
  summary: string;
  /** A verb and a noun, unique among all operations, such as `gotenbergMerge`. */
  operationId: string;
  description?: string;
  fields: F;
  /** Whether requests count against the monthly limit. */
  usesQuota?: boolean;
  /** The media types of the results, for the documentation. */
  mediaTypes: readonly string[];
  /**
   * Makes the result. Everything that it needs is in `call`: the request may have ended.
   * @throws {AppError} whose message is the text of the response
   */
  handle(call: FormCall<F>): Promise<Output>;
}

/** Mounts the form routes of Gotenberg. */
export interface FormRoutes {
  /**
   * Adds a route. It also takes `downloadFrom`, and the headers `Gotenberg-Output-Filename` and
   * `Gotenberg-Webhook-*`.
   */
  add<F extends Fields>(route: FormRoute<F>): void;
  /** Does the work of the route with this path. @throws {AppError} */
  run(path: string, work: FormWork): Promise<Output>;
}

/** The services that {@link createFormRoutes} uses. */
interface FormRouteParts {
  routes: Routes;
  settings: Settings;
  outbound: Outbound;
  webhooks: Parameters<typeof readTarget>[1]['webhooks'];
  /** The requests whose callers get 204. */
  calls: () => WebhookCalls;
  /** Sends an outcome while the caller waits, and its event. */
  sendNow(
    target: WebhookTarget,
    outcome: () => Promise<Outcome>,
    call: { trace: string; signal: AbortSignal },
  ): Promise<void>;
}

/** The largest form. One account may use half of the memory for bodies, which holds at least this. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

const commonFields = {
  downloadFrom: text({
    default: '',
    description:
      'A JSON list of files to download: `[{"url": "https://…", "extraHttpHeaders": {}, "embedded": false}]`.',
  }),
};

/** Creates the table to which the groups of routes add theirs. */
export function createFormRoutes(parts: FormRouteParts): FormRoutes {
  const { routes, settings, outbound } = parts;
  const limitBytes = Math.min(settings.bodyLimitBytes ?? MAX_BODY_BYTES, MAX_BODY_BYTES);
  const works = new Map<string, (work: FormWork) => Promise<Output>>();

  async function run(path: string, work: FormWork): Promise<Output> {
    const handle = works.get(path);
    if (!handle) throw new AppError('NOT_FOUND', `there is no route ${path}`);
    const { timeoutMs } = settings;
    return withinLimit({ timeoutMs, ...work }, (signal) => handle({ ...work, signal }));
  }

  function add<F extends Fields>(route: FormRoute<F>): void {
    works.set(route.path, async (work) =>
      route.handle({ ...work, values: readFields(work.form, route.fields) }),
    );
    routes.post(
      `${settings.rootPath}${route.path}`,
      {
        scope: route.scope,
        audit: null,
        summary: route.summary,
        operationId: route.operationId,
        ...(route.description !== undefined && { description: route.description }),
        idempotency: { ignored: "Gotenberg's API has no such header" },
        body: bodyOf({ ...route.fields, ...commonFields }),
        maxBodyBytes: limitBytes,
        worksOnDocument: true,
        ...(route.usesQuota && { usesQuota: true }),
        requestHeaders: requestHeadersOf(settings),
        response: {
          mediaTypes: route.mediaTypes,
          ...(!settings.webhook.isOff && {
            noContent: 'The request is accepted; its webhook gets the result.',
          }),
        },
      },
      async ({ account, isTest, request, body: form, signal, reserveMemory }) => {
        const trace = traceOf(request, settings.traceHeader);
        const { timeoutMs } = settings;
        await withinLimit({ timeoutMs, signal, isTest }, (limited) =>
          downloadFiles(form, {
            outbound,
            settings: { ...settings.downloadFrom, traceHeader: settings.traceHeader, limitBytes },
            trace,
            signal: limited,
            reserveMemory,
          }),
        );
        const target = await readTarget(request.headers, { ...parts, settings: settings.webhook });
        const outputName = readOutputName(request.headers);
        const work = {
          account,
          isTest,
          form,
          trace,
          outputName: outputName || crypto.randomUUID(),
          signal,
          reserveMemory,
          attempt: undefined,
        };
        if (!target) return respond(await run(route.path, work), outputName);
        if (settings.webhook.isSynchronous) {
          const makeOutcome = async () => ({
            file: await readOutcomeFile(await run(route.path, work), outputName),
          });
          await parts.sendNow(target, makeOutcome, { trace, signal });
        } else
          await parts.calls().accept({ account, isTest, path: route.path, form, trace, outputName, target });
        return new Response(null, { status: 204 });
      },
    );
  }

  return { add, run };
}
