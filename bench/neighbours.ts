/**
 * Measures how much one account affects another: `npm run bench:neighbours`. Account B (plan pro) requests an
 * invoice every 200 ms, first alone, then during each attack of `neighbours/attacks.ts` by account A (plan
 * free) at A's full rate limit. Prints one table, then the goals that were missed, and exits with 1 if there
 * are any.
 *
 *   --only 2,4         runs only the attacks with these numbers
 *   --seconds 20       sets the duration of each attack
 *   --disconnect 300   makes A close each request after this many milliseconds
 *   --patience 60      sets how many seconds B's response times may take to recover after an attack
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startAttack } from './neighbours/attacker.ts';
import { attacks, findAttack, type Attack } from './neighbours/attacks.ts';
import { Deployment } from './neighbours/deployment.ts';
import { longestDelayMs, readLoopDelays } from './neighbours/loop-delay.ts';
import {
  awaitRecovery,
  requestInvoice,
  requestSteadily,
  summarise,
  watchHealth,
} from './neighbours/neighbour.ts';
import { listMissedGoals, writeTable, type Phase } from './neighbours/report.ts';
import { startSlowSite } from './neighbours/slow-site.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    disconnect: { type: 'string' },
    patience: { type: 'string', default: '60' },
  },
});
const chosen = values.only ? values.only.split(',').map((number) => findAttack(Number(number))) : attacks;
const phaseMs = Number(values.seconds) * 1000;
const patienceMs = Number(values.patience) * 1000;
const disconnectMs = values.disconnect === undefined ? undefined : Number(values.disconnect);

const REQUEST_INTERVAL_MS = 200;
/** The rate limit of the free plan. */
const ATTACKS_PER_SECOND = 10;
const WARM_UP_CALLS = 20;
/** Account B has recovered when its responses take at most this many times its idle p95. */
const RECOVERED_TIMES = 2;

/** A service and the API key of account B. */
interface Setup {
  deployment: Deployment;
  key: string;
}

using site = startSlowSite();
const loadBefore = loadavg()[0] ?? 0;
let setup = await openSetup();
const phases: Phase[] = [];
const idle = await measure(undefined, Number.POSITIVE_INFINITY);
for (const attack of chosen) {
  const phase = await measure(attack, idle.neighbour.p95 * RECOVERED_TIMES);
  phases.push(phase);
  console.error(`${phase.name}: p95 ${Math.round(phase.neighbour.p95)} ms`);
  if (needsRestart(attack, phase)) {
    await setup.deployment[Symbol.asyncDispose]();
    setup = await openSetup();
  }
}
await setup.deployment[Symbol.asyncDispose]();

const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
const suffix = disconnectMs === undefined ? '' : `; A disconnects after ${disconnectMs} ms`;
console.log(
  `Account B requests an invoice every ${REQUEST_INTERVAL_MS} ms while account A attacks. ${availableParallelism()} cores, load ${load} after; ${values.seconds} s for each row${suffix}\n`,
);
console.log(writeTable(idle, phases));
const missed = listMissedGoals(idle, phases);
console.log(missed.length === 0 ? '\nall goals met' : `\nmissed:\n${missed.join('\n')}`);
process.exit(missed.length === 0 ? 0 : 1);

async function openSetup(): Promise<Setup> {
  const deployment = await Deployment.start({ EGRESS_ALLOW: new URL(site.origin).host });
  const key = await deployment.createKey('pro');
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await requestInvoice({ url: deployment.url, key });
  return { deployment, key };
}

/** Measures the service during an attack, or without one if `attack` is undefined. */
async function measure(attack: Attack | undefined, quickMs: number): Promise<Phase> {
  const { deployment, key } = setup;
  const { url } = deployment;
  deployment.memory.reset();
  const delaysBefore = await readLoopDelays(url);
  // Each attack has its own key, because the service may treat an account differently after an attack.
  const running =
    attack &&
    (await startAttack({
      url,
      key: await deployment.createKey('free'),
      attack: attack.number,
      site: site.origin,
      requestsPerSecond: ATTACKS_PER_SECOND,
      disconnectMs,
      hasLowPriority: true,
    }));
  const neighbour = { url, key };
  const calling = requestSteadily(neighbour, { everyMs: REQUEST_INTERVAL_MS, durationMs: phaseMs });
  const health = watchHealth(url, calling);
  await Bun.sleep(phaseMs);
  const attacker = await running?.stop();
  const recovering = awaitRecovery(neighbour, { quickMs, patienceMs });
  const [calls, healthMs, recoverySeconds] = await Promise.all([calling, health, recovering]);
  return {
    name: attack ? `${attack.number} ${attack.name}` : 'none',
    neighbour: summarise(calls),
    memory: deployment.memory.peaks,
    healthMs,
    loopDelayMs: longestDelayMs(delaysBefore, await readLoopDelays(url)),
    recoverySeconds,
    survived: deployment.alive,
    attacker,
  };
}

/** Tells whether the next attack needs a new service for a fair measurement. */
function needsRestart(attack: Attack, { survived, recoverySeconds, memory }: Phase): boolean {
  return !survived || recoverySeconds === undefined || attack.leavesWork === true || memory.service >= 600;
}
