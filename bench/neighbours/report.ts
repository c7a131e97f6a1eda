import { writeMarkdown } from '../render/report.ts';
import type { AttackTally } from './attacker.ts';
import type { MemoryPeaks } from './memory-watch.ts';
import type { Figures } from './neighbour.ts';

/** Measurements during one attack, or without an attack. */
export interface Phase {
  name: string;
  neighbour: Figures;
  memory: MemoryPeaks;
  /** Longest response time of `/healthz` in milliseconds. */
  healthMs: number;
  /**
   * Upper bound of the longest event loop delay in milliseconds, from the service's histogram; `undefined` if
   * readings are missing.
   */
  loopDelayMs: number | undefined;
  /** Seconds from the end of the attack until account B had recovered; `undefined` if it did not. */
  recoverySeconds: number | undefined;
  /** False if the service died. */
  survived: boolean;
  attacker: AttackTally | undefined;
}

/** Limits for account B's response times and the service's memory. */
const GOALS = { timesIdle: 3, maxMs: 2_000, serviceMegabytes: 600 };

/** Writes all phases as a Markdown table; `idle` is the phase without an attack. */
export function writeTable(idle: Phase, attacks: readonly Phase[]): string {
  const head = [
    'attack',
    'p50 ms',
    'p95 ms',
    'max ms',
    'p95 / idle',
    'refused',
    'errors',
    'service RSS MB',
    'all RSS MB',
    '/healthz max ms',
    'loop delay ms',
    'recovered after s',
    'responses to A',
  ];
  const rows = [idle, ...attacks].map((phase) => {
    const { neighbour, memory, survived, recoverySeconds, loopDelayMs } = phase;
    return [
      phase.name,
      ...[neighbour.p50, neighbour.p95, neighbour.max].map(Math.round),
      timesIdle(phase, idle).toFixed(1),
      neighbour.refused,
      neighbour.errors,
      memory.service,
      memory.tree,
      Math.round(phase.healthMs),
      writeDelay(loopDelayMs),
      phase === idle ? '' : writeRecovery({ survived, recoverySeconds }),
      writeTally(phase.attacker),
    ];
  });
  return writeMarkdown([head, ...rows], 1);
}

/** Lists the missed goals, one sentence each. */
export function listMissedGoals(idle: Phase, attacks: readonly Phase[]): string[] {
  return attacks.flatMap((phase) => {
    const { neighbour, memory, survived, recoverySeconds } = phase;
    const ratio = timesIdle(phase, idle);
    const missed = [
      !survived && 'the service died',
      ratio > GOALS.timesIdle && `p95 is ${ratio.toFixed(1)} times idle p95 (goal: ${GOALS.timesIdle})`,
      neighbour.max > GOALS.maxMs && `a request took ${Math.round(neighbour.max)} ms (goal: ${GOALS.maxMs})`,
      neighbour.refused > 0 && `${neighbour.refused} of ${neighbour.calls} requests were refused`,
      neighbour.errors > 0 && `${neighbour.errors} of ${neighbour.calls} requests failed`,
      memory.service >= GOALS.serviceMegabytes &&
        `the service used ${memory.service} MB (goal: below ${GOALS.serviceMegabytes})`,
      survived && recoverySeconds === undefined && 'the neighbour did not recover after the attack',
    ];
    return missed.filter((text) => text !== false).map((text) => `${phase.name}: ${text}`);
  });
}

function writeDelay(boundMs: number | undefined): string {
  if (boundMs === undefined) return '';
  return Number.isFinite(boundMs) ? `≤ ${boundMs}` : '> 10000';
}

function timesIdle(phase: Phase, idle: Phase): number {
  return phase.neighbour.p95 / Math.max(1, idle.neighbour.p95);
}

function writeRecovery({ survived, recoverySeconds }: Pick<Phase, 'survived' | 'recoverySeconds'>): string {
  if (!survived) return 'died';
  return recoverySeconds === undefined ? 'not in time' : recoverySeconds.toFixed(1);
}

function writeTally(tally: AttackTally | undefined): string {
  if (!tally) return '';
  const outcomes = Object.entries(tally.outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  const open = tally.sent - Object.values(tally.outcomes).reduce((sum, count) => sum + count, 0);
  return [...outcomes, ...(open > 0 ? [`${open} open`] : [])].join(', ');
}
