import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { requirePyHanko } from '../signatures/pyhanko.ts';
import { runOn } from '../support/pdf/pdf-operations.ts';
import { readWithPyHanko } from '../support/pdf/pyhanko-reader.ts';

/** Programs that interpret every page of a file and print its errors. They run if they are installed. */
const PROGRAMS = [
  ['mutool', 'draw', '-q', '-F', 'bbox', '-o', '/dev/null', '{}'],
  ['gs', '-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=nullpage', '{}'],
] as const;

/** Returns a sandbox that adds the PDFs that its tasks return to the list `made`. */
export function recordResults(sandbox: Sandbox, made: Uint8Array[]): Sandbox {
  return {
    ...sandbox,
    load<M extends object>(module: URL) {
      return new Proxy(sandbox.load<M>(module), {
        get(tasks, name) {
          const task: unknown = Reflect.get(tasks, name);
          if (typeof task !== 'function') return task;
          return async (...args: unknown[]) => {
            const result: unknown = await Reflect.apply(task, tasks, args);
            made.push(...pdfsIn(result));
            return result;
          };
        },
      });
    },
  };
}

function pdfsIn(result: unknown): Uint8Array[] {
  if (typeof result !== 'object' || result === null || !('value' in result)) return [];
  const values: unknown[] = Array.isArray(result.value) ? result.value : [result.value];
  return values.flatMap((value) => {
    const isPdf = typeof value === 'object' && value !== null && 'pdf' in value;
    return isPdf && value.pdf instanceof Uint8Array ? [value.pdf] : [];
  });
}

/**
 * Returns the faults that MuPDF, Ghostscript and pyHanko find in the results for a file, unless they also
 * find faults in the file.
 */
export async function faultsOfOtherReaders(
  source: Uint8Array,
  made: readonly Uint8Array[],
): Promise<string[]> {
  if (made.length === 0) return [];
  return [
    ...PROGRAMS.filter(([program]) => Bun.which(program) !== null).flatMap((command) => {
      const faults = made.flatMap((pdf) => errorsIn(runOn(pdf, command)));
      return faults.length > 0 && errorsIn(runOn(source, command)).length === 0
        ? faults.map((fault) => `${command[0]}: ${fault}`)
        : [];
    }),
    ...(requirePyHanko() ? await faultsOfPyHanko(source, made) : []),
  ];
}

function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /error/i.test(line))
    .slice(0, 1);
}

async function faultsOfPyHanko(source: Uint8Array, made: readonly Uint8Array[]): Promise<string[]> {
  const files = [source, ...made].map((pdf) => ({ pdf, password: '' }));
  const [sourceResult, ...results] = await readWithPyHanko(files);
  if (sourceResult?.fault !== null) return [];
  return results.flatMap(({ fault }) => (fault === null ? [] : [`pyHanko: ${fault}`]));
}
