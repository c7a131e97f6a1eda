import { Type } from '@sinclair/typebox';
import type { ErrorCatalogue, ErrorCode } from '../errors.ts';
import type { Components } from './openapi-components.ts';
import { ERROR_HEADERS, referToHeaders } from './openapi-headers.ts';
import type { Protocol } from './protocol.ts';

const ErrorDetail = Type.Object(
  {
    path: Type.String({
      description:
        'The field, such as `options.margin` or `pdfs[1]`; empty when no field is at fault. In a pipeline, `steps.2.opacity` is a field of the third step.',
    }),
    line: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The line of the file that has the fault.' }),
    ),
    code: Type.Optional(
      Type.String({
        description:
          'The kind of fault in a document, such as `TEMPLATE_ERROR`. docs/errors.md lists the codes and what to do about each.',
      }),
    ),
    message: Type.String({ description: 'A sentence about the field. It may change.' }),
  },
  { title: 'ErrorDetail' },
);

const ErrorObject = Type.Object(
  {
    code: Type.String({ description: 'A stable code in capitals.' }),
    message: Type.String({ description: 'A sentence for people. It may change.' }),
    details: Type.Array(ErrorDetail, {
      description: 'The invalid fields, or the fault in a document; empty for most codes.',
    }),
    request_id: Type.String({
      description: 'Also the header `X-Request-Id`, and in the log of the service.',
    }),
    doc_url: Type.String({ description: 'The explanation of the code in the documentation.' }),
  },
  { title: 'ErrorObject' },
);

/** An error as text. The media type is the key of the content. */
const ErrorText = Type.String({ title: 'ErrorText', description: 'A sentence for people.' });

const ErrorResponse = Type.Object({ error: ErrorObject }, { title: 'Error' });

/**
 * Describes the errors of each status. Codes with the same status share a response, which is named after
 * them, and each has its example.
 */
export function describeErrors(
  codes: readonly ErrorCode[],
  errors: ErrorCatalogue,
  components: Components,
): Record<string, unknown> {
  const statuses = Map.groupBy(new Set(codes), (code) => errors.get(code).status);
  const entries = [...statuses].map(([status, shared]) => [
    String(status),
    components.referOnce('responses', nameOf(shared), () =>
      describeError(status, shared, errors, components),
    ),
  ]);
  return Object.fromEntries(entries);
}

/** Names a response after its codes: `UsageLimitExceededOrForbidden`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const words = codes.join('_OR_').split('_');
  return words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('');
}

function describeError(
  status: number,
  codes: readonly ErrorCode[],
  errors: ErrorCatalogue,
  components: Components,
): object {
  const examples = codes.map((code) => ({
    error: {
      code,
      message: errors.get(code).meaning,
      details: [],
      request_id: 'req_0a1b2c3d4e5f6g7h8i9j0k1l',
      doc_url: `http://localhost:3000/docs/errors.md#${code}`,
    },
  }));
  const isRetried = status === 409 || status === 429 || status === 503;
  const media =
    examples.length === 1
      ? { example: examples[0] }
      : { examples: Object.fromEntries(examples.map((value) => [value.error.code, { value }])) };
  return {
    description: codes.map((code) => `\`${code}\`: ${errors.get(code).meaning}`).join(' '),
    headers: referToHeaders([...ERROR_HEADERS, ...(isRetried ? (['Retry-After'] as const) : [])], components),
    content: { 'application/json': { schema: components.convert(ErrorResponse), ...media } },
  };
}

/** Describes the errors of the routes of a protocol, which share a response for each status. */
export function describeForeignErrors(
  { name, documentation: { errors, mediaType } }: Pick<Protocol, 'name' | 'documentation'>,
  components: Components,
): Record<string, unknown> {
  const entries = Object.entries(errors).map(([status, description]) => {
    const response = {
      description,
      headers: referToHeaders(ERROR_HEADERS, components),
      content: { [mediaType]: { schema: components.convert(ErrorText) } },
    };
    return [status, components.refer('responses', `${name}Error${status}`, response)];
  });
  return Object.fromEntries(entries);
}
