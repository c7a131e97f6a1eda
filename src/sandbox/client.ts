import type { TaskClient, TaskOptions } from './task.ts';

/** Runs one task of a module. */
type RunTask = (name: string, input: unknown, options?: TaskOptions) => Promise<unknown>;

/** Creates a client whose methods are made on first use, so the service need not import the module. */
export function createClient<M>(run: RunTask): TaskClient<M> {
  const methods = new Map<string, unknown>();
  const target: TaskClient<M> = Object.create(null);
  return new Proxy(target, {
    get(_, name) {
      // With a method `then`, a client returned from an async function would be treated as a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (!methods.has(name))
        methods.set(name, (input: unknown, options?: TaskOptions) => run(name, input, options));
      return methods.get(name);
    },
  });
}
