import { parseJson, RawObject, Type } from '../../src/plugin.ts';
import type { DocumentRequest } from './contract.ts';

/** Longer text is stored in base64, which the database neither escapes nor looks through: reading 6 MB of quotation marks took 0.15 s. */
const LONG_BYTES = 65_536;

const Stored = Type.Object({ data: RawObject({ description: 'As the caller sent them.' }) });

/** Writes a request as JSON. Its data are copied, not parsed. */
export function writeRequest({ data, ...request }: DocumentRequest): Buffer {
  const json = Buffer.from(JSON.stringify(request));
  if (!data) return json;
  return Buffer.concat([json.subarray(0, -1), Buffer.from(',"data":'), data.bytes, Buffer.from('}')]);
}

/** Makes text of a written request, for the store. */
export function toStoredText(written: Buffer): string {
  return written.toString(written.length > LONG_BYTES ? 'base64' : 'utf8');
}

/** Reads a stored request, in slices. An earlier release stored all of them as JSON. */
export async function readRequest(text: string): Promise<DocumentRequest> {
  const written = Buffer.from(text, text.startsWith('{') ? 'utf8' : 'base64');
  return (await parseJson(written, Stored)) as DocumentRequest;
}
