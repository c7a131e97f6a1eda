import { transform } from 'sucrase';
import { checkTokens } from './check-tokens.ts';
import { CompileError, ModuleFault } from './faults.ts';

/** A caller's source as a function, which runs when it is called. */
export type ModuleFunction = (
  require: (name: string) => unknown,
  module: { exports: Record<string, unknown> },
  exports: Record<string, unknown>,
) => void;

/** The name under which stacks and errors know the caller's source. */
export const SOURCE_NAME = 'source.tsx';

/** Lines of what surrounds the source. sucrase keeps lines, so that what comes after them is the caller's. */
export const LINES_BEFORE = 1;

const RECEIVER = 'platenModule';

/** Turns TSX into a function, without running it. @throws {CompileError} @throws {ModuleFault} for what cannot be imported. */
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
      // Chromium knows optional chaining and class fields.
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

/** A script element, because its syntax errors come with their place, which those of `Function` lack. */
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
    // Chromium names the call that ran the script, too.
    /^Uncaught SyntaxError: (?:Failed to execute [^:]*: )?/,
    '',
  );
  throw new CompileError(fault ? `line ${fault.lineno - LINES_BEFORE}: ${message}` : message);
}
