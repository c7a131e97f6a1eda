import { expect, test } from 'bun:test';
import { s3Server } from '../support/service/s3-server.ts';
import { mongoServer } from '../support/service/servers.ts';
import { serversEnv } from '../support/service/service.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { Chaos, ROUND_PATIENCE_MS, type Figures } from './batch-chaos.ts';
import { Fleet } from './batch-fleet.ts';
import { until } from '../support/until.ts';

/**
 * Services that share the rounds and run at the same time, because most of a round is spent waiting for the
 * leases of a killed service to end.
 */
const SQLITE_SERVICES = 2;
const ROUND_LIMIT_MS = 60_000;
const hasServers = (await mongoServer()) !== undefined && (await s3Server()) !== undefined;

/** The number of rounds: that of `npm run test:all`, or the one in `CHAOS_ROUNDS`. */
export function roundsOf(usual: number): number {
  return Number(process.env['CHAOS_ROUNDS'] ?? usual);
}

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

/**
 * Defines the test that no item is lost or made twice: on MongoDB and S3 in the suite of servers, otherwise on
 * SQLite.
 */
export function testBatchChaos({
  disruption,
  rounds,
  onMongoAndS3,
}: Pick<Run, 'disruption' | 'rounds'> & { onMongoAndS3: boolean }): void {
  test.skipIf(onMongoAndS3)(
    'one service on SQLite',
    async () => {
      const share = Math.ceil(rounds / SQLITE_SERVICES);
      const runs = Array.from({ length: SQLITE_SERVICES }, async () => {
        await using receiver = new Receiver();
        await using fleet = await Fleet.start(1, { EGRESS_ALLOW: receiver.host });
        const figures = await runRounds({ fleet, receiver, rounds: share, disruption, name: 'SQLite' });
        // A retry deletes the file that an interrupted attempt stored.
        expect(await fleet.filesOnDisk()).toBe(figures.completed);
        return figures.heldDuringHangs;
      });
      const held = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
      if (disruption === 'hang') expect(held).toBeGreaterThan(0);
    },
    rounds * ROUND_LIMIT_MS,
  );

  test.if(onMongoAndS3 && hasServers)(
    'two replicas over MongoDB and S3',
    async () => {
      await using receiver = new Receiver();
      await using fleet = await Fleet.start(2, { ...(await serversEnv()), EGRESS_ALLOW: receiver.host });
      await runRounds({ fleet, receiver, rounds, disruption, name: 'MongoDB and S3' });
    },
    rounds * ROUND_LIMIT_MS,
  );
}
