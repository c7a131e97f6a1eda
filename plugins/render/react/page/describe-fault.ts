import { LINES_BEFORE, SOURCE_NAME } from './compile.ts';
import { CompileError, ModuleFault } from './faults.ts';
import { explainReactError } from './react-messages.ts';

const FRAME = new RegExp(`${SOURCE_NAME}:(\\d+):\\d+`);

/**
 * Describes an error of a source or component in one sentence, with the line in the caller's source if the
 * stack contains it.
 */
export function describeFault(thrown: unknown): string {
  if (!isError(thrown)) return `the component threw ${describeValue(thrown)}`;
  const message = explainReactError(String(thrown.message)) || `the component threw ${String(thrown.name)}`;
  if (thrown instanceof CompileError) return message;
  const line = Number(FRAME.exec(String(thrown.stack))?.[1]) - LINES_BEFORE;
  const named =
    thrown instanceof ModuleFault || typeof thrown.name !== 'string' || thrown.name === 'Error'
      ? message
      : `${thrown.name}: ${message}`;
  return line > 0 ? `line ${line}: ${named}` : named;
}

/** Returns true for a value with a message of any type, because a component can throw anything. */
function isError(thrown: unknown): thrown is { name: unknown; message: unknown; stack?: unknown } {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Promise) return 'a promise';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'an object';
  }
}
