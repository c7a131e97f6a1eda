import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The most memory that was resident, in MB. */
export interface MemoryPeaks {
  /** Of the service process. */
  service: number;
  /** Of the service and of everything that it started, added up; memory that processes share counts for each. */
  tree: number;
}

const SAMPLE_MS = 100;
/** The tree is slow to read. */
const SAMPLES_PER_TREE = 5;
/** Ten times the bound of the service. */
const SERVICE_LIMIT_MB = 6_000;
/** A machine that runs out of memory kills other programs too. */
const MACHINE_RESERVE_SHARE = 0.3;

/**
 * Watches the memory of a service, and kills it before the machine is out of memory: an attack that succeeds must not take other
 * programs with it. Linux only.
 */
export class MemoryWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: Timer;
  #peaks: MemoryPeaks = { service: 0, tree: 0 };

  /** @param kill called once when the service has to go. */
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

  /** Begins anew. */
  reset(): void {
    this.#peaks = { service: 0, tree: 0 };
    resetPeak(this.#pid);
  }

  /** Reads the peaks since the last {@link reset}; those of a service that is gone are as they were last seen. */
  get peaks(): MemoryPeaks {
    const { service, tree } = this.#peaks;
    return { service: Math.round(Math.max(service, peakMegabytes(this.#pid))), tree: Math.round(tree) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Reads the peak of a process's resident memory in MB, as the kernel keeps it (`VmHWM`, proc_pid_status(5)); 0 when it is gone. */
function peakMegabytes(pid: number): number {
  return readKilobytes(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

/** Sets the peak to what is resident now (proc_pid_clear_refs(5)). Where the kernel refuses, the peak of the whole life stays. */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The process is gone, or the kernel was built without it.
  }
}

/** Says that the machine has little memory left; `undefined` when it has enough. */
function findShortage(): string | undefined {
  const [total, available] = ['MemTotal', 'MemAvailable'].map((name) => readKilobytes('/proc/meminfo', name));
  if (!total || !available || available > total * MACHINE_RESERVE_SHARE) return undefined;
  return `the machine has ${Math.round(available / 1024)} MB left`;
}

function readTreeMegabytes(root: number): number {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const tree = new Set([root]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree].reduce((sum, pid) => sum + readKilobytes(`/proc/${pid}/status`, 'VmRSS'), 0) / 1024;
}

/** Reads the fourth field of `/proc/<pid>/stat`; the second, the name, may hold spaces and brackets. */
function parentOf(pid: string): number {
  const stat = readText(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
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
