import { dlopen } from 'bun:ffi';

/** The names of the C library in glibc and in musl. */
const LIBRARIES = ['libc.so.6', 'libc.so'];
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * Makes the kernel kill this process when its parent dies, even during a task that never returns to the event
 * loop (prctl(2), PR_SET_PDEATHSIG). Does nothing on systems other than Linux, where the process ends after
 * its task.
 */
export function dieWithParent(): void {
  if (process.platform !== 'linux') return;
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { prctl: { args: ['int', 'u64'], returns: 'int' } });
      symbols.prctl(PR_SET_PDEATHSIG, BigInt(SIGKILL));
      return;
    } catch {
      // Try the next C library.
    }
  }
}
