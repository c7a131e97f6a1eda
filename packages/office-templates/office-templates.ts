import { fillDocx, readDocx } from './docx.ts';
import { OfficeFault } from './fault.ts';
import { checkPart, type Filling, type MissingVariable, type PartTemplate } from './fill-part.ts';
import { isolate, requireNoLoading } from './links.ts';
import { OfficePackage, type OfficeFormat } from './opc.ts';
import { Pictures } from './pictures.ts';
import { fillPptx, readPptx } from './pptx.ts';
import { fillXlsx } from './xlsx/fill.ts';
import { readXlsx } from './xlsx/read.ts';

/** A value, or a failure that the file, its tags or the data cause. */
export type OfficeResult<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      /** `file` for a file that is not accepted; `tag` for a fault of its tags, or of the data. */
      subject: 'file' | 'tag';
      /** A predicate for `file`, such as "has macros"; a sentence with its place for `tag`. */
      message: string;
    };

/** A file, its data, and the assets that its tags name. */
export interface FillInput {
  file: Uint8Array;
  /** A JSON object. */
  data: unknown;
  /** The bytes of the assets that the tags name, by name; `null` for an asset that does not exist. */
  assets?: ReadonlyMap<string, Uint8Array | null>;
}

/** A filled file, or the assets that are needed to fill it. */
export type Filled =
  | { file: Uint8Array; missing: readonly MissingVariable[]; needs?: undefined }
  | { needs: readonly string[] };

/** The most bytes of XML that a filling writes. */
const MAX_OUTPUT_BYTES = 40_000_000;
const MAX_ASSETS = 200;

/** Reads a file and checks that all its tags compile. */
export function checkOfficeTemplate(file: Uint8Array): OfficeResult<{ format: OfficeFormat }> {
  return attempt(() => {
    const opened = open(file);
    for (const template of templatesOf(opened)) checkPart(template);
    return { format: opened.format };
  });
}

/**
 * Fills a file with data. Returns `needs` if tags name assets that `assets` lacks: call again with them.
 * Nothing is read from other places.
 */
export function fillOfficeTemplate({ file, data, assets = new Map() }: FillInput): OfficeResult<Filled> {
  return attempt(() => {
    if (typeof data !== 'object' || data === null || Array.isArray(data))
      throw new OfficeFault('the data must be a JSON object', 'tag');
    const opened = open(file);
    const needs = new Set<string>();
    const pictures = new Pictures(opened, (name) => {
      const found = assets.get(name);
      if (found === null) throw new OfficeFault(`the asset "${name.slice(0, 100)}" does not exist`, 'tag');
      if (!found) needs.add(name);
      if (needs.size > MAX_ASSETS)
        throw new OfficeFault(`the file has more than ${MAX_ASSETS} images`, 'tag');
      return found;
    });
    const filling: Filling = { data, remainingBytes: MAX_OUTPUT_BYTES, missing: [] };
    fill(opened, { filling, pictures });
    if (needs.size > 0) return { needs: [...needs] };
    // Blocks can put the instruction of a field together.
    if (opened.format === 'docx') requireNoLoading(opened);
    return { file: opened.toFile(), missing: filling.missing };
  });
}

function open(file: Uint8Array): OfficePackage {
  const opened = new OfficePackage(file);
  isolate(opened);
  requireNoLoading(opened);
  return opened;
}

function templatesOf(file: OfficePackage): PartTemplate[] {
  switch (file.format) {
    case 'docx':
      return readDocx(file).map(({ template }) => template);
    case 'xlsx':
      return readXlsx(file).flatMap(({ template }) => template ?? []);
    case 'pptx':
      return [readPptx(file)?.template ?? []].flat();
  }
}

function fill(file: OfficePackage, parts: { filling: Filling; pictures: Pictures }): void {
  switch (file.format) {
    case 'docx':
      return fillDocx(file, readDocx(file), parts);
    case 'xlsx':
      return fillXlsx(file, readXlsx(file), parts);
    case 'pptx': {
      const deck = readPptx(file);
      if (deck) fillPptx(file, deck, parts);
    }
  }
}

function attempt<T>(work: () => T): OfficeResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof OfficeFault) return { ok: false, subject: error.subject, message: error.message };
    throw error;
  }
}
