import type { TaskClient } from '../../src/plugin.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
export type Tasks = TaskClient<typeof import('./tasks.ts')>;
