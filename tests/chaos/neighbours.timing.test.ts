import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { startAttack } from '../../bench/neighbours/attacker.ts';
import { attacks } from '../../bench/neighbours/attacks.ts';
import { Deployment } from '../../bench/neighbours/deployment.ts';
import {
  requestInvoice,
  requestSteadily,
  summarise,
  type Figures,
  type Neighbour,
} from '../../bench/neighbours/neighbour.ts';
import { startSlowSite } from '../../bench/neighbours/slow-site.ts';

// A short form of bench/neighbours.ts. It fails only on gross delays, so that a busy machine does not matter.
const CALLS = { everyMs: 200, durationMs: 3_000 };
const WARM_UP_CALLS = 5;
const ATTACKS_PER_SECOND = 10;
const SERVICE_LIMIT_MB = 600;

/**
 * Upper limit on the neighbour's median, relative to its median without an attack in the same run. Without
 * fairness, the neighbour waits for the attacker's documents, most of which run until a deadline of 5 s or
 * more.
 */
const medianLimit = (idle: Figures) => 10 * idle.p50 + 3_000;

// Attacks that leave batches behind come last.
const chosen = attacks.toSorted((a, b) => Number(a.leavesWork ?? false) - Number(b.leavesWork ?? false));

const site = startSlowSite();
let deployment: Deployment;
let neighbour: Neighbour;
let idle: Figures;

async function start(): Promise<void> {
  deployment = await Deployment.start({ EGRESS_ALLOW: new URL(site.origin).host });
  neighbour = { url: deployment.url, key: await deployment.createKey('pro') };
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await requestInvoice(neighbour);
}

beforeAll(async () => {
  await start();
  idle = summarise(await requestSteadily(neighbour, CALLS));
}, 60_000);

// A new service, so that one attack does not affect the result of the next.
afterEach(async () => {
  if (deployment.alive && deployment.memory.peaks.service < SERVICE_LIMIT_MB) return;
  await deployment[Symbol.asyncDispose]();
  await start();
}, 60_000);

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  site[Symbol.dispose]();
});

test('without an attack, every request succeeds', () => {
  expect(idle).toMatchObject({ refused: 0, errors: 0 });
});

test('an attacker who disconnects leaves no work behind', async () => {
  const running = await startAttack({
    url: deployment.url,
    key: await deployment.createKey('free'),
    attack: 4,
    site: site.origin,
    requestsPerSecond: ATTACKS_PER_SECOND,
    disconnectMs: 300,
  });
  // Real time: the attack lasts for some seconds.
  await Bun.sleep(3_000);
  const { outcomes } = await running.stop();
  expect(outcomes['disconnected']).toBeGreaterThan(0);
  const calls = await requestSteadily(neighbour, { ...CALLS, durationMs: 2_000 });
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
  expect(summarise(calls).p50).toBeLessThan(medianLimit(idle));
}, 90_000);

describe('an account is served during an attack by another account:', () => {
  test.each(chosen.map((attack) => [attack.name, attack.number] as const))(
    '%s',
    async (_name, attack) => {
      const running = await startAttack({
        url: deployment.url,
        key: await deployment.createKey('free'),
        attack,
        site: site.origin,
        requestsPerSecond: ATTACKS_PER_SECOND,
      });
      const calls = await requestSteadily(neighbour, CALLS);
      const { sent } = await running.stop();
      expect(sent).toBeGreaterThan(ATTACKS_PER_SECOND);
      expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
      expect(summarise(calls).p50).toBeLessThan(medianLimit(idle));
      expect(deployment.alive).toBe(true);
      expect(deployment.memory.peaks.service).toBeLessThan(SERVICE_LIMIT_MB);
    },
    90_000,
  );
});
