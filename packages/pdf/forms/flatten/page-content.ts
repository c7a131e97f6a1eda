import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  name,
  PdfStream,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { balance } from './balance.ts';

/** Appends operators to a page's content, in the initial graphics state. */
export function appendContent(
  document: PdfDocument,
  contents: PdfObject | undefined,
  operators: string,
): PdfObject {
  const value = resolve(contents);
  const parts = value instanceof PdfStream ? [contents ?? null] : Array.isArray(value) ? value : [];
  const decoded = parts.map((part) => {
    const stream = resolve(part);
    return stream instanceof PdfStream ? decodeStream(stream, document.budget) : new Uint8Array();
  });
  const known = decoded.flatMap((part) => (part ? [part, Buffer.from('\n')] : []));
  const whole = known.length === 2 * decoded.length ? balance(Buffer.concat(known)) : undefined;
  const before = Buffer.concat(known);
  // Keep the original streams if they are balanced.
  const same = !whole || Buffer.compare(before, whole.content) === 0;
  const end = 'Q\n'.repeat((whole?.open ?? 0) + 1);
  const kept = same ? parts : [streamOf(whole.content)];
  return [streamOf(Buffer.from('q\n')), ...kept, streamOf(Buffer.from(`\n${end}${operators}`, 'latin1'))];
}

function streamOf(content: Uint8Array): Ref {
  if (content.length < 100) return Ref.to(new PdfStream(new Dict(), content));
  return Ref.to(new PdfStream(Dict.of({ Filter: name('FlateDecode') }), deflateSync(content)));
}
