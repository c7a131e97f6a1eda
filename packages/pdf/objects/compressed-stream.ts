import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, Ref, type PdfObject } from './objects.ts';

/** Creates a stream that is compressed with Flate, and returns a reference to it. */
export function compressedStream(
  data: Uint8Array,
  entries: Readonly<Record<string, PdfObject | undefined>> = {},
): Ref {
  return Ref.to(new PdfStream(Dict.of({ ...entries, Filter: name('FlateDecode') }), deflateSync(data)));
}
