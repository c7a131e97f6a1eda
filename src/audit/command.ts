import type { AuditLog, AuditOptions } from './audit-log.ts';
import type { AuditAction } from './entry.ts';

/** A change that a command makes. */
export interface CommandChange {
  account: string;
  action: AuditAction;
  target?: string;
}

/**
 * Makes changes and records them as those of a command on the machine of the service, such as
 * `platen keys create`.
 */
export async function recordCommand<T>(
  audit: AuditLog,
  { command, changes }: { command: string; changes: readonly CommandChange[] },
  make: () => Promise<T>,
  options: AuditOptions<T> = {},
): Promise<T> {
  const [first, ...others] = changes;
  if (!first) return make();
  const actor = { type: 'command', id: null, name: command } as const;
  return audit.during(
    { ...first, actor, usesReserve: true },
    async (entries) => {
      if (others.length > 0) await entries.describe(...changes);
      return make();
    },
    options,
  );
}
