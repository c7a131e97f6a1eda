import { Dict, name, PdfStream, PdfString, Ref, resolve, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';

/** Creates a string of Latin-1 characters. */
export const text = (value: string): PdfString => new PdfString(Buffer.from(value, 'latin1'));

/** Creates a stream with a dictionary. */
export function streamOf(content: string, entries: Readonly<Record<string, PdfObject>> = {}): PdfStream {
  return new PdfStream(Dict.of(entries), Buffer.from(content, 'latin1'));
}

/** Replaces the content of the page. */
export function draw({ page }: ConformingDocument, content: string): void {
  page.set('Contents', Ref.to(streamOf(content)));
}

/** Adds an entry to a category of the resources of the page. */
export function define(
  { resources }: ConformingDocument,
  category: string,
  entries: Readonly<Record<string, PdfObject>>,
): void {
  const existing = resources.dict(category) ?? new Dict();
  for (const [key, value] of Object.entries(entries)) existing.set(key, value);
  resources.set(category, existing);
}

/** Creates a form XObject. */
export function form(content: string, entries: Readonly<Record<string, PdfObject>> = {}): Ref {
  const dict = { Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, 100, 100], ...entries };
  return Ref.to(streamOf(content, dict));
}

export function outputIntent({ catalog }: ConformingDocument): Dict {
  return resolve(catalog.array('OutputIntents')?.[0]) as Dict;
}

/** An RGB colour space by ICC profile: that of the output intent. */
export function iccRgb(sample: ConformingDocument): PdfObject {
  const profile = outputIntent(sample).get('DestOutputProfile') as PdfStream;
  return [name('ICCBased'), Ref.to(new PdfStream(profile.dict.copy().set('N', 3), profile.raw))];
}

/** Adds an annotation to the page. */
export function annotate({ page }: ConformingDocument, annotation: Dict): void {
  page.array('Annots')?.push(Ref.to(annotation));
}
