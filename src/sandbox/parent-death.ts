import { dlopen } from 'bun:ffi';

/** The C library by its name in glibc, and in musl. */
const LIBRARIES = ['libc.so.6', 'libc.so'];
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * Has the kernel kill this process when its parent dies, even while it runs a task that never returns to the event loop
 * (prctl(2), PR_SET_PDEATHSIG). Linux only: elsewhere such a process ends when its task does.
 */
export function dieWithParent(): void {
  if (process.platform !== 'linux') return;
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { prctl: { args: ['int', 'u64'], returns: 'int' } });
      symbols.prctl(PR_SET_PDEATHSIG, BigInt(SIGKILL));
      return;
    } catch {
      // Another C library.
    }
  }
}
