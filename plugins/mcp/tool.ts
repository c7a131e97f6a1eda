import type { AccountInput, RouteInput, SCOPES, Static, TSchema, Type } from '../../src/plugin.ts';

/** The schema of an object. */
type ObjectSchema = ReturnType<typeof Type.Object>;

/** The caller of a tool. */
export type Caller = Pick<AccountInput, 'account' | 'isTest' | 'requireScope'> &
  Pick<RouteInput<unknown, unknown, unknown>, 'signal' | 'reserveMemory' | 'audit' | 'startedAt'>;

/** A scope of API keys. */
export type Scope = (typeof SCOPES)[number];

/** A picture in the result of a tool. */
export interface ToolImage {
  data: Uint8Array;
  mimeType: string;
}

/** The result of a tool: an object, and pictures that an agent can look at. */
export interface ToolResult {
  value: object;
  images?: readonly ToolImage[];
}

/** A tool as its file declares it. */
interface ToolSpec<Input extends ObjectSchema> {
  name: string;
  title: string;
  /** Tells what the tool does and when to use it, for a reader without the documentation. */
  description: string;
  /**
   * The scope that the key needs. `by id` stands for that of the document: `generations` or `files`, which
   * the tool requires itself.
   */
  scope: Scope | 'by id';
  input: Input;
  /** Shorter schemas, which the list of tools shows in place of the schemas of `input`. */
  listed?: Readonly<Record<string, TSchema>>;
  /** Whether the tool changes or stores something. */
  changes: boolean;
  /** Counts calls towards the concurrent requests that the account's plan allows. */
  worksOnDocument: boolean;
  run(given: Static<Input>, caller: Caller): Promise<ToolResult>;
}

/** A tool whose arguments are checked by its schema before it runs. */
export type Tool = ToolSpec<ObjectSchema>;

/** Returns a tool; provides types for its declaration. */
export function defineTool<Input extends ObjectSchema>(spec: ToolSpec<Input>): Tool {
  // The arguments have been validated with the schema of the tool.
  return spec;
}

/** Describes a tool in the result of `tools/list`. */
export function listTool({ name, title, description, input, listed, changes }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: publishSchema({ ...input, properties: { ...input.properties, ...listed } }),
    annotations: { readOnlyHint: !changes, ...(changes && { destructiveHint: false }), openWorldHint: false },
  };
}

/** Returns a schema as JSON Schema, without the words of the service's own messages. */
export function publishSchema(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'expected' ? undefined : value)),
  ) as object;
}
