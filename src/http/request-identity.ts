import { newId } from '../ids.ts';

/** Visible ASCII characters, which are safe in headers and logs. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** W3C Trace Context, `traceparent`. Versions after 00 may append fields. */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/** The names of a request in responses and logs. */
export interface RequestIdentity {
  /** The caller's `X-Request-Id`, or a new id. */
  id: string;
  /** The fields that identify the request on each of its log lines. */
  log: Readonly<Record<string, string>>;
  /** The origin at which the caller finds the documentation; empty if it is unknown. */
  docs: string;
}

/**
 * Reads the caller's `X-Request-Id` (1 to 128 visible ASCII characters) and `traceparent`. An invalid header
 * is ignored, because it must not make a request fail that would succeed without it.
 */
export function identifyRequest(headers: Headers, docs: string): RequestIdentity {
  const given = headers.get('x-request-id');
  const id = given !== null && REQUEST_ID.test(given) ? given : newId('req_');
  return { id, log: { request_id: id, ...readTraceParent(headers.get('traceparent')) }, docs };
}

function readTraceParent(text: string | null): { trace_id: string; parent_id: string } | undefined {
  const [, version, traceId = '', parentId = '', more] = TRACE_PARENT.exec(text ?? '') ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(parentId)) return undefined;
  return { trace_id: traceId, parent_id: parentId };
}
