import { createValidator, Type, type RouteBody, type Static, type TSchema } from '../../../src/plugin.ts';
import { resultFields } from '../../files/exports.ts';
import type {
  Operation,
  OperationContext,
  OperationInput,
  OperationRoutes,
  OperationSpec,
  StepSpec,
} from '../operation.ts';

/** The fields of a step, without `do`. */
export type StepFields = Readonly<Record<string, unknown>>;

/** The handler of the route of an operation. */
type Handler = (input: OperationInput<unknown>) => unknown;

/** An operation that can be a step. */
export interface StepKind {
  /** The value of `do`: the end of the path of the route. */
  name: string;
  /** The summary of the route. */
  summary: string;
  spec: StepSpec<StepFields>;
  /** The number of PDFs that the step takes: one, or several in the field `pdfs`. */
  takes: { least: number; most: number };
  /** The fields of the route that describe a stored result, such as `output`. */
  resultFields: ReadonlySet<string>;
  /** The schema of the step in a request. */
  schema: ReturnType<typeof Type.Object>;
  /** The schema of the response of the route. */
  answer: TSchema | undefined;
  /** The media types of the route's responses other than JSON. */
  mediaTypes: readonly string[];
  /** Returns the fields of a valid step. @throws {AppError} VALIDATION_ERROR that names a field */
  validate: (step: unknown) => StepFields;
  /** Creates the handler of the operation with other files. */
  bind: (files: OperationContext['files']) => Handler;
}

/** Fields of a route that a step does not have, because they belong to the pipeline request. */
const PIPELINE_FIELDS: ReadonlySet<string> = new Set(['pdf', 'output', ...Object.keys(resultFields)]);

/** Finds the operations that can be steps. */
export function stepKindsOf(operations: readonly Operation[], context: OperationContext): StepKind[] {
  return operations.flatMap((operation) =>
    routesOf(operation, context).flatMap(({ path, spec }) => {
      const { step } = spec;
      if (!step) return [];
      const bind: StepKind['bind'] = (files) => {
        const route = routesOf(operation, { ...context, files }).find((each) => each.path === path);
        if (!route) throw new Error(`the operation no longer registers ${path}`);
        return route.handler;
      };
      return [describeStep(path.slice(path.lastIndexOf('/') + 1), { ...spec, step }, bind)];
    }),
  );
}

interface RegisteredRoute {
  path: string;
  spec: OperationSpec<RouteBody>;
  handler: Handler;
}

function routesOf(operation: Operation, context: OperationContext): RegisteredRoute[] {
  const found: RegisteredRoute[] = [];
  const routes: OperationRoutes = {
    post(path, spec, handler) {
      // The pipeline validates the fields of a step with the schema of the route.
      found.push({ path, spec: spec as never, handler: handler as Handler });
    },
  };
  operation({ ...context, routes });
  return found;
}

function describeStep(
  name: string,
  { step, body, response, summary }: OperationSpec<RouteBody> & { step: StepSpec<never> },
  bind: StepKind['bind'],
): StepKind {
  const { properties } = objectSchemaOf(name, body);
  const list = properties['pdfs'] as { items?: TSchema; minItems?: number; maxItems?: number } | undefined;
  const { minItems: least = 1, maxItems: most = 1 } = list ?? {};
  const stepFields = Object.entries(properties).filter(
    ([field]) => !PIPELINE_FIELDS.has(field) && field !== 'pdfs',
  );
  const schema = Type.Object(
    {
      do: Type.Literal(name),
      ...Object.fromEntries(stepFields),
      ...(list?.items && { pdfs: Type.Optional(morePdfs(list.items, most)) }),
    },
    { additionalProperties: false, title: titleOf(name) },
  );
  const validate = createValidator(schema);
  return {
    name,
    summary,
    spec: step,
    takes: { least, most },
    resultFields: new Set(Object.keys(properties).filter((field) => PIPELINE_FIELDS.has(field))),
    schema,
    answer: response?.schema,
    mediaTypes: response?.mediaTypes ?? [],
    validate(value) {
      const { do: _, ...fields }: Static<typeof schema> & StepFields = validate(value);
      return fields;
    },
    bind,
  };
}

function morePdfs(items: TSchema, most: number): TSchema {
  return Type.Array(items, {
    maxItems: most - 1,
    expected: `a list of at most ${most - 1} PDFs`,
    description: 'More PDFs, after the result of the previous step or the PDFs of the request.',
  });
}

function objectSchemaOf(name: string, body: RouteBody | undefined): { properties: Record<string, TSchema> } {
  const bodies = Array.isArray(body) ? body : [body];
  const schema: unknown = bodies.find((each) => each?.kind === 'json')?.schema ?? bodies[0];
  if (typeof schema === 'object' && schema !== null && 'properties' in schema)
    return schema as { properties: Record<string, TSchema> };
  throw new Error(`the operation ${name} has no body with fields, so it cannot be a step`);
}

/** Returns the name of the schema of a step: `AddFieldsStep`. */
function titleOf(name: string): string {
  const words = name.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}Step`;
}
