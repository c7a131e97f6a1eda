import { isUtf8 } from 'node:buffer';
import { sendFile, type withExtension } from '../../src/plugin.ts';
import { baseName, extensionOf } from './form/form.ts';

/** The media type of a file, or of an archive of files. */
export type OutputMediaType = Parameters<typeof withExtension>[1];

/** A file that a route makes. */
export interface OutputFile {
  /** With an extension. */
  name: string;
  mediaType: OutputMediaType;
  content: Uint8Array;
}

/** The result of a route: one file, several that are sent as a zip archive, or JSON. */
export type Output = readonly OutputFile[] | { json: unknown };

const MAX_NAME_CHARACTERS = 200;

/** Reads the header `Gotenberg-Output-Filename`, a name without extension; empty if it is absent. */
export function readOutputName(headers: Headers): string {
  const given = Buffer.from(headers.get('gotenberg-output-filename') ?? '', 'latin1');
  const name = given.toString(isUtf8(given) ? 'utf8' : 'latin1');
  return baseName(name).slice(0, MAX_NAME_CHARACTERS);
}

/**
 * Creates the response of Gotenberg: the file, or a zip archive of several, as an attachment. `outputName`
 * replaces the name of the file, but not its extension.
 */
export async function respond(output: Output, outputName: string): Promise<Response> {
  if ('json' in output)
    return new Response(JSON.stringify(output.json), {
      headers: { 'content-type': 'application/json' },
    });
  const { fileName, mediaType, body } = describeOutput(output, outputName);
  const response = await sendFile({ body, mediaType, fileName });
  const disposition = response.headers.get('content-disposition') ?? '';
  response.headers.set('content-disposition', disposition.replace('inline', 'attachment'));
  return response;
}

/** Describes the only file of a result, or the archive of several. */
export function describeOutput(
  output: readonly OutputFile[],
  outputName: string,
): { fileName: string; mediaType: OutputMediaType; body: Parameters<typeof sendFile>[0]['body'] } {
  const [file, ...others] = output;
  if (!file) throw new Error('a route made no file');
  if (others.length > 0) {
    const fileName = `${outputName || crypto.randomUUID()}.zip`;
    return { fileName, mediaType: 'application/zip', body: withUniqueNames(output) };
  }
  const { name, mediaType, content } = file;
  return { fileName: outputName ? outputName + extensionOf(name) : name, mediaType, body: content };
}

/** Numbers the files of an archive that have the same name. */
function withUniqueNames(files: readonly OutputFile[]): OutputFile[] {
  const used = new Set<string>();
  return files.map((file) => {
    const extension = extensionOf(file.name);
    const stem = file.name.slice(0, file.name.length - extension.length);
    let name = file.name;
    for (let count = 1; used.has(name); count += 1) name = `${stem}_${count}${extension}`;
    used.add(name);
    return { ...file, name };
  });
}
