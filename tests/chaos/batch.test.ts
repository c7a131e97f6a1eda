import { describe, expect, test } from 'bun:test';
import { s3Server } from '../support/s3-server.ts';
import { mongoServer } from '../support/servers.ts';
import { serversEnv } from '../support/service.ts';
import { Receiver, until } from '../support/receiver.ts';
import { Chaos, type Figures } from './batch-chaos.ts';
import { Fleet } from './batch-fleet.ts';

// `npm run chaos` runs more rounds than `npm test`.
const [SQLITE_ROUNDS = 2, SERVER_ROUNDS = 2, HANG_ROUNDS = 1] = (process.env['CHAOS_ROUNDS'] ?? '2,2,1')
  .split(',')
  .map(Number);
const ROUND_LIMIT_MS = 60_000;
const hasServers = (await mongoServer()) !== undefined && (await s3Server()) !== undefined;

interface Run {
  fleet: Fleet;
  receiver: Receiver;
  rounds: number;
  disruption: 'kill' | 'hang';
  name: string;
}

async function runRounds({ fleet, receiver, rounds, disruption, name }: Run): Promise<Figures> {
  const chaos = new Chaos(fleet, receiver);
  for (let round = 0; round < rounds; round += 1) await chaos.round(disruption);
  // The delivery of the last batch is stored when the batch completes and sent afterwards.
  await until(() => chaos.orders.every(({ idempotencyKey }) => receiver.at(`/${idempotencyKey}`).length > 0));
  const figures = await chaos.verify();
  console.log(`chaos, ${disruption}, ${name}: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({
    lost: 0,
    madeTwice: 0,
    webhooksMissing: 0,
    webhooksTwice: 0,
    holdsLeft: 0,
  });
  expect(figures['quotaUsed']).toBe(figures['completed'] ?? -1);
  return figures;
}

const disruptions = [
  ['kill', 'kill -9 at random moments', SQLITE_ROUNDS, SERVER_ROUNDS],
  ['hang', 'a suspension that outlasts the leases', HANG_ROUNDS, HANG_ROUNDS],
] as const;

describe.each(disruptions)(
  '%s: batches survive %s: no item is lost or made twice',
  (disruption, _, onSqlite, onServers) => {
    test(
      'one service on SQLite',
      async () => {
        await using receiver = new Receiver();
        await using fleet = await Fleet.start(1, { EGRESS_ALLOW: receiver.host });
        const figures = await runRounds({ fleet, receiver, rounds: onSqlite, disruption, name: 'SQLite' });
        // A retry deletes the file that an interrupted attempt stored.
        expect(await fleet.filesOnDisk()).toBe(figures['completed'] ?? -1);
        if (disruption === 'hang') expect(figures['heldDuringHangs']).toBeGreaterThan(0);
      },
      onSqlite * ROUND_LIMIT_MS,
    );

    test.if(hasServers)(
      'two replicas over MongoDB and S3',
      async () => {
        await using receiver = new Receiver();
        await using fleet = await Fleet.start(2, { ...(await serversEnv()), EGRESS_ALLOW: receiver.host });
        await runRounds({ fleet, receiver, rounds: onServers, disruption, name: 'MongoDB and S3' });
      },
      onServers * ROUND_LIMIT_MS,
    );
  },
);
