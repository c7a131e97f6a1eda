import { transform } from 'sucrase';
import { checkTokens } from './check-tokens.ts';
import { CompileError, ModuleFault } from './faults.ts';

/** A caller's source as a function. */
export type ModuleFunction = (
  require: (name: string) => unknown,
  module: { exports: Record<string, unknown> },
  exports: Record<string, unknown>,
) => void;

/** The name of the caller's source in stacks and errors. */
export const SOURCE_NAME = 'source.tsx';

/** The number of lines that the wrapper adds before the source. sucrase keeps the lines of the source. */
export const LINES_BEFORE = 1;

const RECEIVER = 'platenModule';

/**
 * Compiles TSX to a function without running it.
 * @throws {CompileError}
 * @throws {ModuleFault} for an import that does not exist.
 */
export function compile(source: string): ModuleFunction {
  const code = toCommonJs(source);
  const text = `${RECEIVER}(function (require, module, exports) {\n${code}\n})\n//# sourceURL=${SOURCE_NAME}`;
  return evaluate(text);
}

function toCommonJs(source: string): string {
  try {
    checkTokens(source);
    return transform(source, {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      // Chromium supports optional chaining and class fields.
      disableESTransforms: true,
      filePath: SOURCE_NAME,
    }).code;
  } catch (error) {
    if (error instanceof CompileError || error instanceof ModuleFault) throw error;
    if (error instanceof RangeError)
      throw new CompileError('the source is nested too deeply', { cause: error });
    const [, text = '', line, column] =
      /^(?:Error transforming [^:]*: )?(.*?)(?: \((\d+):(\d+)\))?$/s.exec((error as Error).message) ?? [];
    throw new CompileError(line ? `line ${line}, column ${column}: ${text}` : text, { cause: error });
  }
}

/** Evaluates source in a script element, whose syntax errors have a position; those of `Function` do not. */
function evaluate(text: string): ModuleFunction {
  let made: ModuleFunction | undefined;
  let fault: ErrorEvent | undefined;
  const onError = (event: ErrorEvent) => (fault = event);
  Object.assign(globalThis, { [RECEIVER]: (factory: ModuleFunction) => (made = factory) });
  addEventListener('error', onError);
  const script = document.createElement('script');
  script.textContent = text;
  document.documentElement.append(script);
  script.remove();
  removeEventListener('error', onError);
  Reflect.deleteProperty(globalThis, RECEIVER);
  if (made) return made;
  const message = (fault?.message ?? 'the source does not parse').replace(
    // Chromium also names the call that ran the script.
    /^Uncaught SyntaxError: (?:Failed to execute [^:]*: )?/,
    '',
  );
  throw new CompileError(fault ? `line ${fault.lineno - LINES_BEFORE}: ${message}` : message);
}
