import type { Account, Accounts } from '../accounts/accounts.ts';
import { AppError } from '../errors.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { authenticate } from './authenticate.ts';
import type { BodyMemory } from './body/body-memory.ts';
import { planLifts } from './body/lift-plan.ts';
import { hasLongText } from './body/long-text.ts';
import { RawJson } from './body/raw-json.ts';
import { readJson } from './body/read-json.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { RateLimits } from './rate-limit.ts';
import { readUrl } from './request-line.ts';
import type { RouteDefinition } from './routes.ts';
import { sendJson, sendLong } from './send-long.ts';
import { createValidator, readQuery } from './validate.ts';

/** What a service is doing: from `leaving` on it is not ready, though it answers; when it is `draining` it takes no new work. */
export type Phase = 'serving' | 'leaving' | 'draining';

/** What requests are answered with. */
export interface PipelineParts {
  accounts: Accounts;
  rateLimits: RateLimits;
  bodyMemory: BodyMemory;
  concurrency: ConcurrencyLimit;
  phase: () => Phase;
}

/** One request of a route. */
export interface Call {
  request: Request;
  id: string;
  params: Record<string, string>;
  address: string;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/**
 * Makes the one order in which every request is answered: authenticate, rate limit, read, validate, handle.
 * Elysia's own hooks would read and parse the body before they could refuse its sender.
 */
export function createPipeline(
  { spec, access, handler }: RouteDefinition,
  parts: PipelineParts,
): (call: Call) => Promise<unknown> {
  const validateQuery = spec.query && createValidator(spec.query);
  const validateBody = spec.body && createValidator(spec.body);
  const reading = {
    maxBytes: spec.maxBodyBytes,
    plan: spec.body && planLifts(spec.body),
  };
  const status = spec.response?.status ?? 200;
  const answersLong = spec.response !== undefined && hasLongText(spec.response.schema);
  const work = async (
    { request, params, address, set }: Call,
    account: Account | undefined,
    headers: Headers,
  ): Promise<unknown> => {
    const query = spec.query && validateQuery?.(readQuery(spec.query, readUrl(request).searchParams));
    const early = account && (await spec.beforeBody?.({ account, request, headers }));
    if (early !== undefined) {
      set.status = status;
      return early;
    }
    const memory = parts.bodyMemory.open({
      id: account?.id ?? address,
      concurrency: account ? parts.concurrency.of(account) : 1,
    });
    try {
      const body = validateBody?.(await readJson(request, { ...reading, memory }));
      const { signal } = request;
      // After the body has come: a slow line takes nobody's turn, and Bun would collect the body meanwhile.
      using _ = account && spec.worksOnDocument ? await parts.concurrency.enter(account, signal) : undefined;
      const result = await handler({
        params,
        query,
        body,
        request,
        headers,
        signal,
        account: account as never,
      });
      set.status = status;
      if (result instanceof RawJson) return sendJson(result, status);
      return answersLong ? sendLong(result, status) : result;
    } finally {
      memory.release();
    }
  };
  const answer = async (call: Call, context: WorkContext): Promise<unknown> => {
    const headers = new Headers();
    try {
      if (parts.phase() === 'draining')
        throw new AppError('UNAVAILABLE', 'the service is stopping', { retryAfterSeconds: 1 });
      if (access === 'public') {
        await parts.rateLimits.takeForAddress(call.address, headers);
        return await work(call, undefined, headers);
      }
      const account = await identify(parts, call.request, call.address, headers);
      return await workContext.run({ ...context, account: account.id }, () => work(call, account, headers));
    } finally {
      headers.forEach((value, name) => {
        call.set.headers[name] = value;
      });
    }
  };
  return (call) => {
    const context: WorkContext = {
      log: { request_id: call.id },
      account: call.address,
      urgency: 'caller',
      signal: call.request.signal,
    };
    return workContext.run(context, () => answer(call, context));
  };
}

async function identify(
  { accounts, rateLimits }: PipelineParts,
  request: Request,
  address: string,
  headers: Headers,
) {
  try {
    const account = await authenticate(accounts, request);
    await rateLimits.takeForAccount(account, headers);
    return account;
  } catch (error) {
    // Guessing keys is slowed by address; an account with a good key never pays for its neighbours.
    if (error instanceof AppError && error.code === 'UNAUTHORIZED')
      await rateLimits.takeForAddress(address, headers);
    throw error;
  }
}
