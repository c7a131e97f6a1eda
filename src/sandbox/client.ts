import type { TaskClient, TaskOptions } from './task.ts';

/** Runs one task of a module. */
export type RunTask = (name: string, input: unknown, options?: TaskOptions) => Promise<unknown>;

/** Makes the methods of a client as they are asked for: the module itself is not imported here. */
export function createClient<M>(run: RunTask): TaskClient<M> {
  const methods = new Map<string, unknown>();
  const target: TaskClient<M> = Object.create(null);
  return new Proxy(target, {
    get(_, name) {
      // A client that is awaited, or returned from an async function, must not be taken for a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (!methods.has(name))
        methods.set(name, (input: unknown, options?: TaskOptions) => run(name, input, options));
      return methods.get(name);
    },
  });
}
