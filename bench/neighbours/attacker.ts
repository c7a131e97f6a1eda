import { findAttack, type AttackRequest } from './attacks.ts';

/** What an attacker is told to do. */
export interface AttackOrder {
  /** Of the service. */
  url: string;
  key: string;
  /** Number of the attack. */
  attack: number;
  /** Origin of the slow assets. */
  site: string;
  requestsPerSecond: number;
  /** Hangs up on each request after this long; `undefined` waits for the answer. */
  hangUpMs?: number | undefined;
}

/** How many requests were sent, and how many had each outcome: an HTTP status, `hung up` or `no answer`. */
export interface AttackTally {
  sent: number;
  outcomes: Record<string, number>;
}

/** An attack under way, in a process of its own: its work does not count in the times that this process measures. */
export interface RunningAttack {
  /** Ends the attack at once, which hangs up on every request that is still open. */
  stop(): Promise<AttackTally>;
}

/** Prepares an attack and begins it. Resolves when the first request is about to leave. @throws {Error} when the process fails. */
export async function startAttack(order: AttackOrder): Promise<RunningAttack> {
  const child = Bun.spawn([process.execPath, '--no-install', import.meta.path, JSON.stringify(order)], {
    // The default of 256 connections would make the attack wait for answers.
    env: { PATH: process.env['PATH'] ?? '', BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  if (done) throw new Error('the attacker ended before its first request');
  return {
    async stop() {
      await child.stdin.end();
      const decoder = new TextDecoder();
      let text = '';
      for (;;) {
        const { done: ended, value } = await reader.read();
        if (ended) break;
        text += decoder.decode(value, { stream: true });
      }
      const tally: AttackTally = JSON.parse(text);
      return tally;
    },
  };
}

async function run({ url, key, attack, site, requestsPerSecond, hangUpMs }: AttackOrder): Promise<void> {
  const { opening, requests } = findAttack(attack);
  const [first, inTurn] = [opening?.(site) ?? [], requests(site)];
  const tally: AttackTally = { sent: 0, outcomes: {} };
  const send = async ({ path, body }: AttackRequest): Promise<void> => {
    tally.sent += 1;
    const outcome = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      keepalive: false,
      ...(hangUpMs !== undefined && { signal: AbortSignal.timeout(hangUpMs) }),
    }).then(
      async (response) => {
        await response.arrayBuffer().catch(() => {});
        return String(response.status);
      },
      (error: Error) => (error.name === 'TimeoutError' ? 'hung up' : 'no answer'),
    );
    tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
  };

  process.stdout.write('ready\n');
  const startedAt = performance.now();
  const timer = setInterval(() => {
    // A timer that comes late makes up for what it missed, so that the rate is kept.
    const due = ((performance.now() - startedAt) / 1000) * requestsPerSecond;
    while (tally.sent < due) {
      const request = first[tally.sent] ?? inTurn[tally.sent % inTurn.length];
      if (request) void send(request);
    }
  }, 10);
  for await (const _ of Bun.stdin.stream());
  clearInterval(timer);
  process.stdout.write(JSON.stringify(tally));
  process.exit();
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? '') as AttackOrder);
