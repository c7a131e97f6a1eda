import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  AppError,
  createValidator,
  FilesUnavailableError,
  parseJson,
  RawJson,
  StoreUnavailableError,
  type Log,
} from '../../src/plugin.ts';
import { errorText } from './error-text.ts';
import type { Caller, Tool, ToolResult } from './tool.ts';

interface ToolCall {
  name: string;
  /** The arguments; absent for none. */
  given: RawJson | undefined;
  caller: Caller;
  log: Log;
}

const validators = new WeakMap<Tool, ReturnType<typeof createValidator>>();

/**
 * Calls a tool: checks the scope of the caller and the arguments, and runs it. Never rejects: every fault is
 * a result that says what to do, because an agent reads results, not statuses.
 */
export async function runTool(
  tools: ReadonlyMap<string, Tool>,
  { name, given = RawJson.of({}), caller, log }: ToolCall,
): Promise<CallToolResult> {
  try {
    const tool = tools.get(name);
    if (!tool)
      throw new AppError(
        'VALIDATION_ERROR',
        `there is no tool of this name; the tools are ${[...tools.keys()].join(', ')}`,
      );
    const requireScope: Caller['requireScope'] = (scope) =>
      caller.requireScope(scope, { isReading: !tool.changes });
    if (tool.scope !== 'by id') requireScope(tool.scope);
    return present(await tool.run(await readArguments(tool, given), { ...caller, requireScope }));
  } catch (error) {
    return presentError(error, { name, log });
  }
}

async function readArguments(tool: Tool, { bytes }: RawJson): Promise<Record<string, unknown>> {
  const validate = validators.get(tool) ?? createValidator(tool.input);
  validators.set(tool, validate);
  const parsed = await parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), tool.input);
  return validate(parsed) as Record<string, unknown>;
}

function present({ value, images = [] }: ToolResult): CallToolResult {
  const structuredContent = value as Record<string, unknown>;
  return {
    content: [
      { type: 'text', text: JSON.stringify(value) },
      ...images.map(({ data, mimeType }) => ({
        type: 'image' as const,
        data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
        mimeType,
      })),
    ],
    structuredContent,
  };
}

function presentError(error: unknown, { name, log }: Pick<ToolCall, 'name' | 'log'>): CallToolResult {
  const fault = toAppError(error);
  if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR')
    log.error({ err: error, tool: name.slice(0, 100) }, 'a tool failed');
  return { content: [{ type: 'text', text: errorText(fault) }], isError: true };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError || error instanceof FilesUnavailableError)
    return new AppError('UNAVAILABLE', 'the service cannot reach its storage');
  return new AppError('INTERNAL_ERROR', 'the service failed');
}
