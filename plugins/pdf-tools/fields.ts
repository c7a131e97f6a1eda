import { Dict, resolve, type PdfObject } from '../../src/pdf/pdf.ts';

/** Calls back for each field and widget below some fields, with the field type that it has or inherits. Loops end. */
export function eachField(
  roots: readonly PdfObject[],
  call: (field: Dict, type: string | undefined) => void,
): void {
  const seen = new Set<Dict>();
  const waiting: { field: PdfObject; type: string | undefined }[] = [];
  const add = (fields: readonly PdfObject[], type: string | undefined) => {
    for (let index = fields.length - 1; index >= 0; index--)
      waiting.push({ field: fields[index] ?? null, type });
  };
  add(roots, undefined);
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const dict = resolve(step.field);
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict);
    const type = dict.name('FT') ?? step.type;
    call(dict, type);
    add(dict.array('Kids') ?? [], type);
  }
}
