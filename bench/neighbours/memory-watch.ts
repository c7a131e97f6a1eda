import { readFileSync, writeFileSync } from 'node:fs';
import { listTree } from '../process-tree.ts';

/** Peak resident memory in MB. */
export interface MemoryPeaks {
  /** Of the service process. */
  service: number;
  /** Sum over the service and its descendants. Memory shared between processes counts for each of them. */
  tree: number;
}

const SAMPLE_MS = 100;
/** Number of samples of the service for each sample of the process tree, which is slow to read. */
const SAMPLES_PER_TREE = 5;
/** Ten times the goal for the service. */
const SERVICE_LIMIT_MB = 6_000;
/**
 * The service is killed below this share of free memory, because the kernel would kill other programs too.
 */
const MACHINE_RESERVE_SHARE = 0.3;

/**
 * Monitors the memory of a service and kills it before the machine runs out of memory, which would affect
 * other programs. Linux only.
 */
export class MemoryWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: Timer;
  #peaks: MemoryPeaks = { service: 0, tree: 0 };

  /** @param kill Called once to kill the service. */
  constructor(pid: number, kill: (reason: string) => void) {
    this.#pid = pid;
    let killed = false;
    let samples = 0;
    this.#timer = setInterval(() => {
      const service = peakMegabytes(pid);
      this.#peaks.service = Math.max(this.#peaks.service, service);
      if (samples++ % SAMPLES_PER_TREE === 0)
        this.#peaks.tree = Math.max(this.#peaks.tree, readTreeMegabytes(pid));
      const reason =
        service > SERVICE_LIMIT_MB ? `the service has ${Math.round(service)} MB` : findShortage();
      if (killed || reason === undefined) return;
      killed = true;
      kill(reason);
    }, SAMPLE_MS);
    this.#timer.unref();
  }

  /** Resets the peaks. */
  reset(): void {
    this.#peaks = { service: 0, tree: 0 };
    resetPeak(this.#pid);
  }

  /** Returns the peaks since the last {@link reset}, or the last known peaks if the service has ended. */
  get peaks(): MemoryPeaks {
    const { service, tree } = this.#peaks;
    return { service: Math.round(Math.max(service, peakMegabytes(this.#pid))), tree: Math.round(tree) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/**
 * Reads the kernel's peak of a process's resident memory in MB (`VmHWM`, proc_pid_status(5)); 0 if the
 * process has ended.
 */
function peakMegabytes(pid: number): number {
  return readKilobytes(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

/**
 * Resets the kernel's peak (proc_pid_clear_refs(5)). If the kernel refuses, the peak since the start remains.
 */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The process has ended, or the kernel does not support it.
  }
}

/** Describes a shortage of memory on the machine; `undefined` if there is enough. */
function findShortage(): string | undefined {
  const [total, available] = ['MemTotal', 'MemAvailable'].map((name) => readKilobytes('/proc/meminfo', name));
  if (!total || !available || available > total * MACHINE_RESERVE_SHARE) return undefined;
  return `the machine has ${Math.round(available / 1024)} MB left`;
}

function readTreeMegabytes(root: number): number {
  return listTree(root).reduce((sum, pid) => sum + readKilobytes(`/proc/${pid}/status`, 'VmRSS'), 0) / 1024;
}

function readKilobytes(path: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readText(path))?.[1] ?? 0);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
