import type { AnyElysia } from 'elysia';
import { DegradedError, messageOf } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { withTimeout } from '@platen/runtime';

/**
 * Checks a part of the service. Resolves with an optional description when the part works; rejects with the
 * reason when it does not.
 */
export type HealthCheck = () => Promise<string | void>;

/** The result of a check. */
export interface PartState {
  ok: boolean;
  /** Whether a part that is not ok refuses only some requests, so that the service is ready. */
  isDegraded?: boolean;
  /** A description of a part that works, or the reason why it does not. */
  text: string;
}

const HEALTH_TIMEOUT_MS = 4_000;

/** Mounts the routes for operators and load balancers: `/healthz`, `/readyz` and `/metrics`. */
export function mountOperations(
  app: AnyElysia,
  {
    health,
    metrics,
    phase,
  }: { health: Readonly<Record<string, HealthCheck>>; metrics: Metrics; phase: () => string },
): void {
  const hidden = { detail: { hide: true } };
  app.get('/healthz', () => ({ status: 'ok' }), hidden);
  app.get(
    '/readyz',
    async ({ set }) => {
      const states = Object.entries(await checkHealth(health));
      const parts = Object.fromEntries(states.map(([name, { ok, text }]) => [name, ok ? 'ok' : text]));
      const stopping = phase() !== 'serving';
      const ready = !stopping && states.every(([, { ok, isDegraded }]) => ok || isDegraded);
      if (!ready) set.status = 503;
      return { status: stopping ? 'stopping' : ready ? 'ready' : 'not ready', parts };
    },
    hidden,
  );
  app.get(
    '/metrics',
    async () =>
      new Response(await metrics.render(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
    hidden,
  );
}

export async function checkHealth(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Record<string, PartState>> {
  const entries = Object.entries(checks).map(async ([name, check]): Promise<[string, PartState]> => {
    const onTimeout = () => {
      throw new Error(`no answer within ${HEALTH_TIMEOUT_MS} ms`);
    };
    try {
      const text = await withTimeout(check(), { limitMs: HEALTH_TIMEOUT_MS, onTimeout });
      return [name, { ok: true, text: text ?? '' }];
    } catch (error) {
      return [name, { ok: false, isDegraded: error instanceof DegradedError, text: messageOf(error) }];
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}
