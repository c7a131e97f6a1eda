import type { Components, Reference } from './openapi-components.ts';

type Parameter = { name: string } | Reference;

interface SuccessResponse {
  description?: string;
  content?: Record<string, { schema: object }>;
}

/** The parts of the operation object of a route that can be components. */
export interface Operation {
  parameters: Parameter[];
  responses: Record<string, SuccessResponse | Reference>;
}

/** A part of an operation that can be a component. */
interface Part {
  name: string;
  component: object;
  replace(reference: Reference): void;
}

/**
 * Moves the parameters and the successful responses that several operations share into the components. A
 * parameter is named after itself, and a response after its schema, or `NoContent`.
 */
export function shareParts(operations: readonly Operation[], components: Components): void {
  share('parameters', operations.flatMap(parametersOf), components);
  share('responses', operations.flatMap(responsesOf), components);
}

/** Of several components with one name, the most frequent gets it. The others stay where they are. */
function share(kind: 'parameters' | 'responses', parts: readonly Part[], components: Components): void {
  const groups = [...Map.groupBy(parts, ({ name, component }) => name + JSON.stringify(component)).values()];
  const named = new Set<string>();
  for (const group of groups.toSorted((a, b) => b.length - a.length)) {
    const [{ name } = { name: '' }] = group;
    if (group.length === 1 || named.has(name)) continue;
    named.add(name);
    for (const part of group) part.replace(components.refer(kind, name, part.component));
  }
}

function parametersOf({ parameters }: Operation): Part[] {
  return parameters.flatMap((parameter, index) => {
    // A letter, such as the `n` of a page, is not a readable name, and `filter[status]` is not a valid one.
    if ('$ref' in parameter || !/^[A-Za-z][\w-]+$/.test(parameter.name)) return [];
    const words = parameter.name.split(/[-_]/);
    return {
      name: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
      component: parameter,
      replace: (reference) => {
        parameters[index] = reference;
      },
    };
  });
}

function responsesOf({ responses }: Operation): Part[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if ('$ref' in response) return [];
    const { description, ...rest } = response;
    const schema = rest.content?.['application/json']?.schema;
    const isEmpty = status === '204' && rest.content === undefined;
    if (!isEmpty && (!schema || !('$ref' in schema))) return [];
    return {
      name: schema && '$ref' in schema ? (String(schema.$ref).split('/').at(-1) ?? '') : 'NoContent',
      component: { description: 'The request succeeded.', ...rest },
      replace: (reference) => {
        responses[status] = { ...reference, description };
      },
    };
  });
}
