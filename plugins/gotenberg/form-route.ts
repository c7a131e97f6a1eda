import { AppError, workContext, type Account, type RouteSpec, type Routes } from '../../src/plugin.ts';
import { readFields, type Fields, type FieldValues } from './form/fields.ts';
import { bodyOf } from './form/form-body.ts';
import type { Form } from './form/form.ts';
import { readOutputName, respond, type Output } from './respond.ts';
import type { Settings } from './settings.ts';
import { traceOf } from './trace.ts';

/** One request to a form route, or the job that does its work later. */
export interface FormCall<F extends Fields> {
  account: Account;
  /** Whether a test key identified the account: what the request makes is for tests. */
  isTest: boolean;
  /** The values of the fields of the route. */
  values: FieldValues<F>;
  /** The whole form, for fields whose names the route does not know. */
  form: Form;
  /** The name of the result without its extension: that of the header, or a random one. */
  outputName: string;
  /** Names the request in the log of the caller. */
  trace: string;
  /** Aborts when the caller disconnects and at the end of `API_TIMEOUT`. */
  signal: AbortSignal;
  /**
   * Reserves memory in addition to the body, until the response.
   * @throws {AppError} RATE_LIMITED when the caller's large bodies already take their share
   */
  reserveMemory: (bytes: number) => void;
}

/** A route that takes a form and makes files. */
export interface FormRoute<F extends Fields> {
  /** Below the root path, such as `forms/pdfengines/merge`. */
  path: `forms/${string}`;
  scope: RouteSpec<never, never>['scope'] & ('generate' | 'pdf');
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
   * Makes the result. It may run after the response, so everything that it needs is in `call`.
   * @throws {AppError} whose message is the text of the response
   */
  handle(call: FormCall<F>): Promise<Output>;
}

/** Mounts the form routes of Gotenberg. */
export interface FormRoutes {
  add<F extends Fields>(route: FormRoute<F>): void;
}

/** The largest form. One account may use half of the memory for bodies, which holds at least this. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

/** Creates the table to which the groups of routes add theirs. */
export function createFormRoutes(routes: Routes, settings: Settings): FormRoutes {
  return {
    add<F extends Fields>(route: FormRoute<F>) {
      routes.post(
        `${settings.rootPath}${route.path}`,
        {
          scope: route.scope,
          audit: null,
          summary: route.summary,
          operationId: route.operationId,
          ...(route.description !== undefined && { description: route.description }),
          idempotency: { ignored: "Gotenberg's API has no such header" },
          body: bodyOf(route.fields),
          maxBodyBytes: Math.min(settings.bodyLimitBytes ?? MAX_BODY_BYTES, MAX_BODY_BYTES),
          worksOnDocument: true,
          ...(route.usesQuota && { usesQuota: true }),
          response: { mediaTypes: route.mediaTypes },
        },
        async ({ account, isTest, request, body: form, signal, reserveMemory }) => {
          const outputName = readOutputName(request.headers);
          const output = await withinLimit(settings.timeoutMs, signal, (limited) =>
            route.handle({
              account,
              isTest,
              form,
              outputName: outputName || crypto.randomUUID(),
              values: readFields(form, route.fields),
              trace: traceOf(request, settings.traceHeader),
              signal: limited,
              reserveMemory,
            }),
          );
          return respond(output, outputName);
        },
      );
    },
  };
}

/**
 * Runs work with a signal that also aborts after `API_TIMEOUT`.
 * @throws {AppError} UNAVAILABLE at that time
 */
async function withinLimit<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const limited = AbortSignal.any([signal, limit]);
  const context = workContext.getStore();
  const run = () => work(limited);
  try {
    return await (context ? workContext.run({ ...context, signal: limited }, run) : run());
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new AppError('UNAVAILABLE', 'Service Unavailable', { cause: error });
    throw error;
  }
}
