/** The traces of requests that are running, so that responses, downloads and webhooks name the same one. */
const traces = new WeakMap<Request, string>();

/** Returns the trace of a request: the header's value, or a new UUID. It is the same for each call. */
export function traceOf(request: Request, header: string): string {
  const known = traces.get(request);
  if (known !== undefined) return known;
  const trace = request.headers.get(header) || crypto.randomUUID();
  traces.set(request, trace);
  return trace;
}
