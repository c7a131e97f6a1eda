import { RawJson } from '../../src/plugin.ts';
import type { DocumentRequest } from './contract.ts';

/**
 * Writes a request as text to be stored: a line of JSON without the data, then the data as they are. JSON on one line has no line
 * break, so the data need not be parsed to be found again.
 */
export function writeRequest({ data, ...request }: DocumentRequest): string {
  return data ? `${JSON.stringify(request)}\n${data.text}` : JSON.stringify(request);
}

/** Reads a request that {@link writeRequest} wrote, or a release before it, which kept the data in the same JSON. */
export function readRequest(text: string): DocumentRequest {
  const end = text.indexOf('\n');
  if (end >= 0)
    return { ...JSON.parse(text.slice(0, end)), data: new RawJson(Buffer.from(text.slice(end + 1))) };
  const { data, ...request } = JSON.parse(text) as DocumentRequest & { data?: object };
  return data ? { ...request, data: RawJson.of(data) } : request;
}
