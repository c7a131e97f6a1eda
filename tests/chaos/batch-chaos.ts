import { expect } from 'bun:test';
import { type Receiver } from '../support/sites/receiver.ts';
import { servesPdf } from '../support/pdf/served-pdf.ts';
import type { ApiResponse } from '../support/service/service.ts';
import type { Fleet } from './batch-fleet.ts';
import { until } from '../support/until.ts';

/** A round accepts, makes and finishes its batches within this time; a kill happens at any moment of it. */
const KILL_WITHIN_MS = 900;
/** Duration of the service's lease on an item. */
const LEASE_MS = 15_000;
/**
 * Longest time without progress. Items of a service that was killed twice wait until two leases end, on a
 * machine that may be busy.
 */
export const ROUND_PATIENCE_MS = 180_000;
const BATCHES_A_ROUND = 3;
/** Keeps an item running for a while. */
const SLOW = '<script>for (const end = Date.now() + 250; Date.now() < end;);</script>';

/** A batch that a client submits until it is accepted. */
interface Order {
  idempotencyKey: string;
  /** One entry per item: true if its PDF can be made. */
  good: readonly boolean[];
  answer?: { batch_id: string; generations: { id: string; index: number }[] };
}

const random = (below: number) => Math.floor(Math.random() * below);

function newOrder(): Order {
  const good = Array.from({ length: 2 + random(9) }, () => random(6) > 0);
  return { idempotencyKey: crypto.randomUUID(), good };
}

/** Submits batches to a fleet, disturbs the services, and counts the results. */
export class Chaos {
  readonly #fleet: Fleet;
  readonly #receiver: Receiver;
  readonly orders: Order[] = [];
  kills = 0;
  hangs = 0;
  /** Items that services held when they were suspended. */
  heldDuringHangs = 0;
  submissions = 0;
  replays = 0;

  constructor(fleet: Fleet, receiver: Receiver) {
    this.#fleet = fleet;
    this.#receiver = receiver;
  }

  /**
   * Submits batches while services are killed or suspended. Clients retry until they have a response. Ends
   * when all batches are completed.
   */
  async round(disruption: 'kill' | 'hang'): Promise<void> {
    const orders = Array.from({ length: BATCHES_A_ROUND }, newOrder);
    this.orders.push(...orders);
    const clients = Promise.all(
      orders.map((order) => this.#submit(order, disruption === 'hang' ? SLOW : '')),
    );
    await Promise.all([clients, disruption === 'kill' ? this.#killSome() : this.#hangOne(orders)]);
    await this.#complete(orders);
  }

  /**
   * Waits until the batches of a round are completed.
   * @throws {Error} with the batches when no item has ended within the time limit.
   */
  async #complete(orders: readonly Order[]): Promise<void> {
    for (let ended = 0, endedAt = performance.now(); ;) {
      const reads = await Promise.all(
        orders.map(({ answer }) => this.#ask(`/v1/batches/${answer?.batch_id}`)),
      );
      const batches = reads.map(({ body }) => body);
      if (batches.every(({ status }) => status === 'completed')) return;
      const count = batches.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
      if (count > ended) [ended, endedAt] = [count, performance.now()];
      if (performance.now() > endedAt + ROUND_PATIENCE_MS)
        throw new Error(`the batches are not completed: ${JSON.stringify(batches)}`);
      await Bun.sleep(10);
    }
  }

  /**
   * Sends a request to the first service. Retries until it responds in time, because a busy machine may delay
   * it or its database.
   */
  async #ask(path: string, options: { body?: object } = {}): Promise<ApiResponse> {
    for (;;) {
      const answer = await this.#fleet.call(0, path, options).catch(() => undefined);
      if (answer && answer.status !== 503) return answer;
      await Bun.sleep(50);
    }
  }

  async #submit(order: Order, script: string): Promise<void> {
    // Real time: clients come at any moment.
    await Bun.sleep(random(300));
    const items = order.good.map((isGood, index) =>
      isGood ? { html: `<p>${index}${script}` } : { react: 'no component' },
    );
    const body = { items, webhook: this.#receiver.url(`/${order.idempotencyKey}`) };
    const { idempotencyKey } = order;
    const first = random(this.#fleet.size);
    for (let attempt = 0; order.answer === undefined; attempt += 1) {
      this.submissions += 1;
      const index = (first + attempt) % this.#fleet.size;
      const answer = await this.#fleet
        .call(index, '/v1/generate/batch', { body, idempotencyKey })
        .catch(() => undefined);
      if (answer?.status === 202) order.answer = answer.body;
      else if (answer && answer.status !== 503) throw new Error(JSON.stringify(answer.body));
      else await Bun.sleep(50);
      if (answer?.headers.get('idempotent-replayed')) this.replays += 1;
    }
  }

  /** Kills one service or all of them; once in three rounds, kills again during recovery. */
  async #killSome(): Promise<void> {
    for (let left = random(3) === 0 ? 2 : 1; left > 0; left -= 1) {
      // Real time: a crash comes at any moment.
      await Bun.sleep(random(KILL_WITHIN_MS));
      const all = Array.from({ length: this.#fleet.size }, (_, index) => index);
      const victims = random(2) === 0 ? all : [random(all.length)];
      this.kills += victims.length;
      await Promise.all(victims.map((index) => this.#fleet.kill(index)));
      await Promise.all(victims.map((index) => this.#fleet.restart(index)));
    }
  }

  /** Suspends a service for longer than its leases last, then resumes it. */
  async #hangOne(orders: readonly Order[]): Promise<void> {
    await until(async () => {
      const [begun] = orders.filter(({ answer }) => answer !== undefined);
      if (!begun) return false;
      const { body } = await this.#ask(`/v1/batches/${begun.answer?.batch_id}`);
      return body.status !== 'queued';
    }, ROUND_PATIENCE_MS);
    // Real time: a suspension comes at any moment.
    await Bun.sleep(random(150));
    this.hangs += 1;
    this.heldDuringHangs += await this.#fleet.hang(
      random(this.#fleet.size),
      LEASE_MS + 1_000 + random(2_000),
    );
  }

  /** Counts the results of all rounds, among them lost, repeated and missing ones. */
  async verify() {
    const items = await this.#allGenerations();
    const wanted = this.orders.flatMap(({ good, answer }) =>
      good.map((isGood, index) => ({ isGood, id: answer?.generations[index]?.id ?? '' })),
    );
    const byId = new Map(items.map((item) => [item.id, item]));
    const died = items.filter(({ error }) => error?.includes('the service stopped'));
    const wrong = wanted.filter(
      ({ id, isGood }) => byId.get(id)?.status !== (isGood ? 'completed' : 'failed'),
    );
    for (const { id } of wrong) console.error('unexpected result:', JSON.stringify(byId.get(id)));
    for (const { status, url } of items) if (status === 'completed') expect(await servesPdf(url)).toBe(true);

    const webhooks = this.orders.map(({ idempotencyKey }) => this.#receiver.at(`/${idempotencyKey}`));
    const ids = webhooks.map(
      (received) => new Set(received.map(({ headers }) => headers['webhook-id'])).size,
    );
    await this.#ask('/v1/quota-sweep', { body: {} });
    const usage = await this.#fleet.usage();
    return {
      rounds: this.orders.length / BATCHES_A_ROUND,
      kills: this.kills,
      hangs: this.hangs,
      heldDuringHangs: this.heldDuringHangs,
      submissions: this.submissions,
      replays: this.replays,
      batches: this.orders.length,
      items: wanted.length,
      lost:
        wanted.length -
        wanted.filter(({ id }) => byId.has(id)).length +
        wrong.filter(({ id }) => !died.some((item) => item.id === id)).length,
      diedThreeTimes: died.length,
      madeTwice: items.length - new Set(wanted.map(({ id }) => id)).size,
      completed: items.filter(({ status }) => status === 'completed').length,
      webhooksMissing: ids.filter((count) => count === 0).length,
      webhooksTwice: ids.filter((count) => count > 1).length,
      quotaUsed: usage.used,
      holdsLeft: usage.holds,
    };
  }

  async #allGenerations() {
    const all: { id: string; status: string; url: string; error: string | null }[] = [];
    for (let hasMore = true; hasMore;) {
      const { body } = await this.#ask(`/v1/generations?limit=100&offset=${all.length}`);
      const whole = await Promise.all(
        body.data.map(({ id }: { id: string }) => this.#ask(`/v1/generations/${id}`)),
      );
      all.push(...whole.map((answer) => answer.body));
      hasMore = body.has_more;
    }
    return all;
  }
}

/** The counts of a run. */
export type Figures = Awaited<ReturnType<Chaos['verify']>>;
