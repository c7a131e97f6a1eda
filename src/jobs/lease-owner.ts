import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Names this process as the owner of leases, for others to see whether it still lives: the boot of its machine and its process
 * namespace, its process id and when it began (proc(5), `/proc/[pid]/stat` field 22), and what tells it from others of the process.
 * Where there is no `/proc` the name says nothing, and only the end of the lease tells.
 */
export function nameLeaseOwner(): string {
  const place = readPlace();
  const startedAt = readStart(process.pid);
  const unique = crypto.randomUUID();
  return place && startedAt ? [place, process.pid, startedAt, unique].join('/') : unique;
}

/** Tells that an owner certainly is dead: it was a process of this machine, and is no more. One elsewhere is never called dead. */
export function isDeadOwner(owner: string): boolean {
  const [place, pid, startedAt, unique] = owner.split('/');
  if (unique === undefined || place !== readPlace()) return false;
  const found = readStart(Number(pid));
  // Where `/proc` hides the processes of other users (`hidepid`), one that cannot be read may live.
  if (found === undefined) return !exists(Number(pid));
  // An id that was given to another process since has another start.
  return found !== startedAt;
}

function readPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Reads when a process began, in ticks since the boot; nothing of the kind when only its remains are there (a zombie). */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is a name in parentheses that may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
