/**
 * Shares processor time between accounts and processes, limits waits, and collects garbage.
 * @module
 */
export { cpuTimeMs } from './cpu-time.ts';
export {
  FairSlots,
  type FairSlotsOptions,
  type Resource,
  type Share,
  type Slot,
  type Urgency,
} from './fair-slots.ts';
export { inBatches } from './in-batches.ts';
export { KeyedTurns } from './keyed-turns.ts';
export { reportGarbage } from './large-garbage.ts';
export { setNiceness, setSessionNiceness, SLOW_TASK_NICENESS, TASK_NICENESS } from './niceness.ts';
export { RecentUse } from './recent-use.ts';
export { residentBytes } from './resident-memory.ts';
export { afterRunning, everyRunning } from './running-time.ts';
export { untilAborted, withTimeout } from './wait.ts';
