/**
 * Writes a PDF in Latin-1 with a correct cross-reference table. Objects are numbered from 1; the first is the
 * catalog. `trailer` is added to the trailer.
 */
export function plainPdf(objects: readonly string[], trailer = ''): string {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Root 1 0 R/Size ${size}${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`;
}

/** Writes a stream object. `entries` are added to its dictionary. */
export function stream(content: string, entries = ''): string {
  return `<</Length ${content.length}${entries}>>stream\n${content}\nendstream`;
}
