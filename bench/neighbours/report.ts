import { writeMarkdown } from '../render/report.ts';
import type { AttackTally } from './attacker.ts';
import type { MemoryPeaks } from './memory-watch.ts';
import type { Figures } from './neighbour.ts';

/** What was measured beside one attack, or, first, beside none. */
export interface Stretch {
  name: string;
  neighbour: Figures;
  memory: MemoryPeaks;
  /** The longest wait for `/healthz`, in milliseconds. */
  healthMs: number;
  /** The bound of the longest delay that the service itself has measured, in milliseconds; `undefined` when it measures none. */
  loopDelayMs: number | undefined;
  /** Seconds from the end of the attack until the neighbour was served as before; `undefined` when that took too long. */
  recoverySeconds: number | undefined;
  /** False when the service died. */
  survived: boolean;
  attacker: AttackTally | undefined;
}

/** The goals of issue 17. */
const GOALS = { timesIdle: 3, maxMs: 2_000, serviceMegabytes: 600 };

/** Writes all stretches as a Markdown table; `idle` is the one without an attack. */
export function writeTable(idle: Stretch, beside: readonly Stretch[]): string {
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
    'answers to A',
  ];
  const rows = [idle, ...beside].map((stretch) => {
    const { neighbour, memory, survived, recoverySeconds, loopDelayMs } = stretch;
    return [
      stretch.name,
      ...[neighbour.p50, neighbour.p95, neighbour.max].map(Math.round),
      timesIdle(stretch, idle).toFixed(1),
      neighbour.refused,
      neighbour.errors,
      memory.service,
      memory.tree,
      Math.round(stretch.healthMs),
      writeDelay(loopDelayMs),
      stretch === idle ? '' : writeRecovery({ survived, recoverySeconds }),
      writeTally(stretch.attacker),
    ];
  });
  return writeMarkdown([head, ...rows], 1);
}

/** Lists the goals that were missed, one sentence each. */
export function listMissedGoals(idle: Stretch, beside: readonly Stretch[]): string[] {
  return beside.flatMap((stretch) => {
    const { neighbour, memory, survived, recoverySeconds } = stretch;
    const ratio = timesIdle(stretch, idle);
    const missed = [
      !survived && 'the service died',
      ratio > GOALS.timesIdle && `p95 is ${ratio.toFixed(1)} times idle p95 (goal: ${GOALS.timesIdle})`,
      neighbour.max > GOALS.maxMs && `a request took ${Math.round(neighbour.max)} ms (goal: ${GOALS.maxMs})`,
      neighbour.refused > 0 && `${neighbour.refused} of ${neighbour.calls} requests were refused`,
      neighbour.errors > 0 && `${neighbour.errors} of ${neighbour.calls} requests failed`,
      memory.service >= GOALS.serviceMegabytes &&
        `the service used ${memory.service} MB (goal: below ${GOALS.serviceMegabytes})`,
      survived && recoverySeconds === undefined && 'the neighbour was not served as before after the attack',
    ];
    return missed.filter((text) => text !== false).map((text) => `${stretch.name}: ${text}`);
  });
}

function writeDelay(boundMs: number | undefined): string {
  if (boundMs === undefined) return '';
  return Number.isFinite(boundMs) ? `≤ ${boundMs}` : '> 10000';
}

function timesIdle(stretch: Stretch, idle: Stretch): number {
  return stretch.neighbour.p95 / Math.max(1, idle.neighbour.p95);
}

function writeRecovery({ survived, recoverySeconds }: Pick<Stretch, 'survived' | 'recoverySeconds'>): string {
  if (!survived) return 'died';
  return recoverySeconds === undefined ? 'not in time' : recoverySeconds.toFixed(1);
}

function writeTally(tally: AttackTally | undefined): string {
  if (!tally) return '';
  const outcomes = Object.entries(tally.outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  const open = tally.sent - Object.values(tally.outcomes).reduce((sum, count) => sum + count, 0);
  return [...outcomes, ...(open > 0 ? [`${open} open`] : [])].join(', ');
}
