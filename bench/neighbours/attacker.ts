import { constants, setPriority } from 'node:os';
import { findAttack, type AttackRequest } from './attacks.ts';

export interface AttackSettings {
  /** URL of the service. */
  url: string;
  key: string;
  /** Number of the attack. */
  attack: number;
  /** Origin of the slow assets. */
  site: string;
  requestsPerSecond: number;
  /** Closes each request after this time; `undefined` waits for the response. */
  disconnectMs?: number | undefined;
  /**
   * Gives the attacker the lowest priority, so that its CPU time affects the measurement as little as if it
   * ran on another machine.
   */
  hasLowPriority?: boolean;
}

/** Number of requests sent, and their outcomes: an HTTP status, `disconnected` or `no response`. */
export interface AttackTally {
  sent: number;
  outcomes: Record<string, number>;
}

/** A running attack, in its own process. */
export interface RunningAttack {
  /** Ends the attack at once and closes every open request. */
  stop(): Promise<AttackTally>;
}

/**
 * Prepares and starts an attack. Resolves when the first request is about to be sent.
 * @throws {Error} if the process fails.
 */
export async function startAttack(settings: AttackSettings): Promise<RunningAttack> {
  const child = Bun.spawn([process.execPath, '--no-install', import.meta.path, JSON.stringify(settings)], {
    // The default of 256 connections would make the attack wait for responses.
    env: { PATH: process.env['PATH'] ?? '', BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  if (settings.hasLowPriority) setPriority(child.pid, constants.priority.PRIORITY_LOW);
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

async function run({
  url,
  key,
  attack,
  site,
  requestsPerSecond,
  disconnectMs,
}: AttackSettings): Promise<void> {
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
      ...(disconnectMs !== undefined && { signal: AbortSignal.timeout(disconnectMs) }),
    }).then(
      async (response) => {
        await response.arrayBuffer().catch(() => {});
        return String(response.status);
      },
      (error: Error) => (error.name === 'TimeoutError' ? 'disconnected' : 'no response'),
    );
    tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
  };

  process.stdout.write('ready\n');
  const startedAt = performance.now();
  const timer = setInterval(() => {
    // A late timer catches up, so that the rate is kept.
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

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? '') as AttackSettings);
