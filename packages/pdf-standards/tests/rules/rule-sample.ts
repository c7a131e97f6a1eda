import { PdfStream } from '@platen/pdf/objects';
import type { PdfaLevel } from '../../levels.ts';
import { changed, type ConformingDocument } from '../conforming-sample.ts';

/** A file that obeys or breaks one rule of PDF/A: a change to a conforming file. */
export interface RuleSample {
  name: string;
  /** Whether the changed file conforms; a level means that it conforms at that level only. */
  conforms: boolean | PdfaLevel;
  change: (pdf: Uint8Array) => Uint8Array;
  /** The only level whose verdicts veraPDF confirms. */
  level?: PdfaLevel;
}

/** Restricts samples to a level. */
export function atLevel(level: PdfaLevel, samples: readonly RuleSample[]): RuleSample[] {
  return samples.map((sample) => ({ ...sample, level }));
}

/** Describes samples that change objects. */
export function objectSamples(
  table: Readonly<Record<string, readonly [RuleSample['conforms'], (sample: ConformingDocument) => void]>>,
): RuleSample[] {
  return Object.entries(table).map(([name, [conforms, change]]) => ({
    name,
    conforms,
    change: (pdf) => changed(pdf, change),
  }));
}

/** Describes samples that change the XMP metadata. */
export function xmpSamples(
  table: Readonly<Record<string, readonly [RuleSample['conforms'], (packet: string) => string]>>,
): RuleSample[] {
  return Object.entries(table).map(([name, [conforms, change]]) => ({
    name,
    conforms,
    change: (pdf) =>
      changed(pdf, (sample) => {
        const metadata = sample.catalog.get('Metadata') as PdfStream;
        const packet = change(Buffer.from(metadata.raw).toString());
        sample.replace(metadata, new PdfStream(metadata.dict, Buffer.from(packet)));
      }),
  }));
}

/** The parts of a file that a sample can write in another way. All texts are Latin-1. */
interface Syntax {
  header?: string;
  /** Changes the text of an object, from its number to its `endobj` and the end of the line. */
  object?: (text: string, number: number) => string;
  /** Changes the cross-reference table, from its keyword to its last entry. */
  table?: (text: string) => string;
  /** Changes the trailer, from its keyword to the end of its dictionary. */
  trailer?: (text: string) => string;
  /** The text after the offset of the table. */
  end?: string;
}

/** Writes a file in another way, with correct offsets. */
export function rewritten(pdf: Uint8Array, syntax: Syntax): Uint8Array {
  const text = Buffer.from(changed(pdf, () => {})).toString('latin1');
  const table = text.lastIndexOf('\nxref\n') + 1;
  const trailer = text.indexOf('trailer', table);
  const end = text.indexOf('startxref', trailer);
  const starts = [...text.slice(table, trailer).matchAll(/(\d{10}) \d{5} n/g)].map(([, offset]) =>
    Number(offset),
  );
  let written = syntax.header ?? text.slice(0, Math.min(...starts));
  const entries = starts.map((start, index) => {
    const next = [...starts, table].filter((offset) => offset > start).toSorted((a, b) => a - b)[0];
    const object = text.slice(start, next);
    const changedObject = syntax.object?.(object, index + 1) ?? object;
    const offset = written.length + changedObject.search(/\d/);
    written += changedObject;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${starts.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
  const offset = written.length;
  written += syntax.table?.(xref) ?? xref;
  const dictionary = text.slice(trailer, end);
  written += `${syntax.trailer?.(dictionary) ?? dictionary}startxref\n${offset}\n${syntax.end ?? '%%EOF\n'}`;
  return Buffer.from(written, 'latin1');
}

/** Describes samples that write a file in another way. */
export function syntaxSamples(
  table: Readonly<Record<string, readonly [RuleSample['conforms'], Syntax]>>,
): RuleSample[] {
  return Object.entries(table).map(([name, [conforms, syntax]]) => ({
    name,
    conforms,
    change: (pdf) => rewritten(pdf, syntax),
  }));
}
