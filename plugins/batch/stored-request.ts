import { parseJsonAndFree, RawObject, Type } from '../../src/plugin.ts';
import type { DocumentRequest } from '../render/contract.ts';

const Stored = Type.Object({ data: RawObject({ description: 'As the caller sent it.' }) });

/** Writes a request as JSON text. Its `data` is copied without being parsed; its properties are in the generation. */
export function writeRequest({ data, ...request }: DocumentRequest): string {
  const json = JSON.stringify({ ...request, properties: undefined });
  return data ? `${json.slice(0, -1)},"data":${data.text}}` : json;
}

/** Returns the size of the JSON text of a request in bytes. The text is not kept: those of all items would take as much memory as the body. */
export function sizeOfRequest({ data, ...request }: DocumentRequest): number {
  return (
    Buffer.byteLength(writeRequest(request)) + (data ? Buffer.byteLength(',"data":') + data.sizeBytes : 0)
  );
}

/** Reads a request from JSON text, in slices. Its `data` stays text. */
export async function readRequest(text: string): Promise<DocumentRequest> {
  return (await parseJsonAndFree(Buffer.from(text), Stored)) as DocumentRequest;
}
