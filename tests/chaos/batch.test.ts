import { describe, expect, test } from 'bun:test';
import { s3Server } from '../support/s3-server.ts';
import { mongoServer } from '../support/servers.ts';
import { serversEnv } from '../support/service.ts';
import { Receiver } from '../support/receiver.ts';
import { onServers } from '../support/suite.ts';
import { Chaos, ROUND_PATIENCE_MS, type Figures } from './batch-chaos.ts';
import { Fleet } from './batch-fleet.ts';
import { until } from '../support/until.ts';

const SQLITE_ROUNDS = 50;
/** Services that share the rounds and run at the same time, because most of a round is spent waiting for the leases of a killed service to end. */
const SQLITE_SERVICES = 2;
const SERVER_ROUNDS = 20;
const HANG_ROUNDS = 10;
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
  await until(
    () => chaos.orders.every(({ idempotencyKey }) => receiver.at(`/${idempotencyKey}`).length > 0),
    ROUND_PATIENCE_MS,
  );
  const figures = await chaos.verify();
  console.log(`chaos, ${disruption}, ${name}: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({
    lost: 0,
    diedThreeTimes: 0,
    madeTwice: 0,
    webhooksMissing: 0,
    webhooksTwice: 0,
    holdsLeft: 0,
  });
  expect(figures.quotaUsed).toBe(figures.completed);
  return figures;
}

const disruptions = [
  ['kill -9 at random moments', 'kill', SQLITE_ROUNDS, SERVER_ROUNDS],
  ['a suspension that outlasts the leases', 'hang', HANG_ROUNDS, HANG_ROUNDS],
] as const;

describe.each(disruptions)(
  'batches survive %s, and no item is lost or made twice:',
  (_, disruption, sqliteRounds, serverRounds) => {
    test.skipIf(onServers)(
      'one service on SQLite',
      async () => {
        const rounds = Math.ceil(sqliteRounds / SQLITE_SERVICES);
        const runs = Array.from({ length: SQLITE_SERVICES }, async () => {
          await using receiver = new Receiver();
          await using fleet = await Fleet.start(1, { EGRESS_ALLOW: receiver.host });
          const figures = await runRounds({ fleet, receiver, rounds, disruption, name: 'SQLite' });
          // A retry deletes the file that an interrupted attempt stored.
          expect(await fleet.filesOnDisk()).toBe(figures.completed);
          return figures.heldDuringHangs;
        });
        const held = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
        if (disruption === 'hang') expect(held).toBeGreaterThan(0);
      },
      sqliteRounds * ROUND_LIMIT_MS,
    );

    test.if(hasServers)(
      'two replicas over MongoDB and S3',
      async () => {
        await using receiver = new Receiver();
        await using fleet = await Fleet.start(2, { ...(await serversEnv()), EGRESS_ALLOW: receiver.host });
        await runRounds({ fleet, receiver, rounds: serverRounds, disruption, name: 'MongoDB and S3' });
      },
      serverRounds * ROUND_LIMIT_MS,
    );
  },
);
