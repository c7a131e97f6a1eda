/**
 * Measures what one account notices of another: `npm run bench:neighbours`. Account B (plan pro) requests an invoice every 200 ms, alone
 * at first, then beside each attack of `neighbours/attacks.ts` by account A (plan free) at A's full rate limit. Prints one table,
 * then the goals that were missed, and exits with 1 when there are any.
 *
 *   --only 2,4       the attacks with these numbers
 *   --seconds 20     how long each stretch lasts
 *   --hang-up 300    A hangs up on each request after so many milliseconds
 *   --patience 60    how many seconds B may need to be served as before after an attack
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
import { listMissedGoals, writeTable, type Stretch } from './neighbours/report.ts';
import { startSlowSite } from './neighbours/slow-site.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    'hang-up': { type: 'string' },
    patience: { type: 'string', default: '60' },
  },
});
const chosen = values.only ? values.only.split(',').map((number) => findAttack(Number(number))) : attacks;
const stretchMs = Number(values.seconds) * 1000;
const patienceMs = Number(values.patience) * 1000;
const hangUpMs = values['hang-up'] === undefined ? undefined : Number(values['hang-up']);

const EVERY_MS = 200;
/** The rate limit of the plan free. */
const ATTACKS_PER_SECOND = 10;
const WARM_UP_CALLS = 20;
/** The neighbour is served as before when its answers take at most so many times its idle p95. */
const RECOVERED_TIMES = 2;

/** A service, and the key of its neighbour. */
interface Scene {
  deployment: Deployment;
  key: string;
}

using site = startSlowSite();
const loadBefore = loadavg()[0] ?? 0;
let scene = await openScene();
const stretches: Stretch[] = [];
const idle = await measure(undefined, Number.POSITIVE_INFINITY);
for (const attack of chosen) {
  const stretch = await measure(attack, idle.neighbour.p95 * RECOVERED_TIMES);
  stretches.push(stretch);
  console.error(`${stretch.name}: p95 ${Math.round(stretch.neighbour.p95)} ms`);
  if (isSpent(attack, stretch)) {
    await scene.deployment[Symbol.asyncDispose]();
    scene = await openScene();
  }
}
await scene.deployment[Symbol.asyncDispose]();

const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
const manner = hangUpMs === undefined ? '' : `; A hangs up after ${hangUpMs} ms`;
console.log(
  `${availableParallelism()} cores, load ${load} after; ${values.seconds} s for each row${manner}\n`,
);
console.log(writeTable(idle, stretches));
const missed = listMissedGoals(idle, stretches);
console.log(missed.length === 0 ? '\nall goals met' : `\nmissed:\n${missed.join('\n')}`);
process.exit(missed.length === 0 ? 0 : 1);

async function openScene(): Promise<Scene> {
  const deployment = await Deployment.start({ EGRESS_ALLOW: new URL(site.origin).host });
  const key = await deployment.createKey('pro');
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await requestInvoice({ url: deployment.url, key });
  return { deployment, key };
}

/** Measures one stretch; without an attack it is the idle one. */
async function measure(attack: Attack | undefined, quickMs: number): Promise<Stretch> {
  const { deployment, key } = scene;
  const { url } = deployment;
  deployment.memory.reset();
  const delaysBefore = await readLoopDelays(url);
  // A key of its own for each attack: what an account did before may change how the service treats it.
  const running =
    attack &&
    (await startAttack({
      url,
      key: await deployment.createKey('free'),
      attack: attack.number,
      site: site.origin,
      requestsPerSecond: ATTACKS_PER_SECOND,
      hangUpMs,
    }));
  const neighbour = { url, key };
  const calling = requestSteadily(neighbour, { everyMs: EVERY_MS, durationMs: stretchMs });
  const health = watchHealth(url, calling);
  await Bun.sleep(stretchMs);
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

/** Tells whether the next attack needs a fresh service to be measured fairly. */
function isSpent(attack: Attack, { survived, recoverySeconds, memory }: Stretch): boolean {
  return !survived || recoverySeconds === undefined || attack.leavesWork === true || memory.service >= 600;
}
