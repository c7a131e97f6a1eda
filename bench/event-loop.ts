/**
 * Measures how long the worst known request to each route delays `/healthz`, which another process polls
 * every 10 ms on one connection: `npm run bench:event-loop [part of a route or input]`. Linux only.
 */
import { EventLoopService } from '../tests/support/event-loop/service.ts';
import { worstInputs } from '../tests/support/event-loop/worst-inputs.ts';

const ROUNDS = 3;
const filter = process.argv[2] ?? '';

await using service = await EventLoopService.start();
const rows = [];
for (const input of worstInputs) {
  if (!`${input.route} ${input.name}`.includes(filter)) continue;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await service.measure(input));
  // The round with the least interference from other programs.
  const [best] = rounds.toSorted((a, b) => a.wallMs - b.wallMs);
  if (!best) continue;
  const row = {
    route: input.route,
    input: input.name,
    status: best.status,
    'took ms': Math.round(best.tookMs),
    'delay ms': Math.round(best.wallMs),
    'CPU ms': Math.round(best.cpuMs),
  };
  rows.push(row);
  console.log(Object.values(row).join(' | '));
}
console.log(
  'Delay: the slowest /healthz during the request, best of three rounds (goal: 100 ms on an idle machine).',
);
console.table(rows.toSorted((a, b) => b['delay ms'] - a['delay ms']));
