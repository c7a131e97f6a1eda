import { PdfDocument } from '../objects/index.ts';

/** The parts of an incremental update in Latin-1. Each one can be malformed. */
export interface RawUpdate {
  /** The bodies of the objects by number. */
  objects: Readonly<Record<number, string>>;
  /** Bytes before the objects. */
  before?: string;
  /** Bytes between the objects and the cross-reference table. */
  beforeTable?: string;
  /** Bytes after the trailer. */
  afterTrailer?: string;
  /** Bytes after the end of the update. */
  after?: string;
  entry?: (offset: number) => string;
  size?: string;
  previous?: number;
  trailerEntries?: string;
  /** Counted from the cross-reference table. */
  startxref?: number;
}

/** Appends an incremental update with a cross-reference table to a file. */
export function appendRaw(pdf: Uint8Array, update: RawUpdate): Buffer {
  const { xref, trailer } = PdfDocument.open(pdf);
  const numbers = Object.keys(update.objects).map(Number);
  const next = Math.max(trailer.number('Size') ?? 0, ...numbers.map((number) => number + 1));
  const {
    entry = (offset) => `${String(offset).padStart(10, '0')} 00000 n \n`,
    size = `/Size ${next}`,
    previous = xref.offset,
    trailerEntries = '/Root 1 0 R',
    startxref = 0,
  } = update;
  let text = `\n${update.before ?? ''}`;
  let table = 'xref\n';
  for (const number of numbers) {
    table += `${number} 1\n${entry(pdf.length + text.length)}`;
    text += `${number} 0 obj\n${update.objects[number]}\nendobj\n`;
  }
  text += update.beforeTable ?? '';
  const offset = pdf.length + text.length + startxref;
  text += `${table}trailer\n<<${size}/Prev ${previous}${trailerEntries}>>\n${update.afterTrailer ?? ''}`;
  text += `startxref\n${offset}\n%%EOF\n${update.after ?? ''}`;
  return Buffer.concat([pdf, Buffer.from(text, 'latin1')]);
}
