import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen, ServiceProcess } from '../../tests/support/service/process.ts';
import { timed } from './figures.ts';

const ITEMS = 100;
const ITEM_CHARACTERS = 600_000;
const LINE = '<p class="line">A line with "quotes", a tab\tand ünicode</p>\n';

/**
 * Response times in milliseconds of `GET /healthz` without a batch and, in each round, during one; and of the
 * 202 in each round.
 */
export interface LargeBatchTimes {
  idle: number[];
  during: number[][];
  accepted: number[];
}

/**
 * Submits batches of 60 MB to a service in its own process and measures how long each batch and requests of
 * others take.
 */
export async function measureLargeBatch(rounds: number): Promise<LargeBatchTimes> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'error' };
  const service = new ServiceProcess(env);
  try {
    const url = await service.ready();
    const { stdout } = await platen(
      ['keys', 'create', '--email', 'bench@example.com', '--plan', 'enterprise'],
      env,
    );
    const html = LINE.repeat(Math.floor(ITEM_CHARACTERS / LINE.length));
    // Encoded in advance, so that this process is idle during the measurement.
    const body = Buffer.from(JSON.stringify({ items: Array.from({ length: ITEMS }, () => ({ html })) }));
    const submit = async () => {
      const headers = { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/generate/batch`, { method: 'POST', headers, body });
      if (answer.status !== 202) throw new Error(await answer.text());
    };
    const health = async () => void (await (await fetch(`${url}/healthz`)).text());
    const idle = await timeDuring(() => Bun.sleep(2_000), health);
    const [during, accepted]: [number[][], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1)
      during.push(await timeDuring(async () => void accepted.push((await timed(submit)).ms), health));
    return { idle, during, accepted };
  } finally {
    service.killGroup();
    await service.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Times repeated requests during some work. */
async function timeDuring(work: () => Promise<void>, request: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const state = { ended: false };
  const working = work().finally(() => {
    state.ended = true;
  });
  while (!state.ended) {
    times.push((await timed(request)).ms);
    await Bun.sleep(2);
  }
  await working;
  return times;
}
