import { LINES_BEFORE, SOURCE_NAME } from './compile.ts';
import { CompileError, ModuleFault } from './faults.ts';
import { explainReactError } from './react-messages.ts';

const FRAME = new RegExp(`${SOURCE_NAME}:(\\d+):\\d+`);

/** Says in one sentence what a source or component threw, with the line in the caller's source when the stack knows it. */
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

/** What has a message counts, whatever the message is: of what a component throws nothing is certain. */
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
