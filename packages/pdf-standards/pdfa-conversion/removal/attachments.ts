import {
  asDict,
  decodeText,
  Dict,
  encodeText,
  name,
  PdfStream,
  readNameTree,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { isArchived, MEDIA_TYPE } from '../../pdfa-check/attachments.ts';
import type { PdfaLevel, LevelRules } from '../../levels.ts';

const RELATIONSHIP = /^(?:Source|Data|Alternative|Supplement|Unspecified)$/;

/** The embedded files that a document keeps. */
export interface Attachments {
  /** The kept entries of the name tree `EmbeddedFiles`. */
  named: readonly (readonly [key: string, file: PdfObject])[];
  /** The kept file specifications. The catalog refers to all of them. */
  all: readonly Ref[];
  /** Tells whether a file specification keeps its embedded file. */
  has(specification: Dict): boolean;
}

/** Tells whether an embedded file conforms to a level of PDF/A. */
export type Conforms = (pdf: Uint8Array, level: PdfaLevel) => boolean;

/**
 * Chooses the embedded files that the level allows, and completes their specifications (ISO 19005-2 6.8, ISO
 * 19005-3 6.8).
 */
export class KeptAttachments implements Attachments {
  readonly named: [key: string, file: PdfObject][] = [];
  readonly #document: PdfDocument;
  readonly #rules: LevelRules;
  readonly #conforms: Conforms;
  readonly #kept = new Map<Dict, Ref>();

  constructor(document: PdfDocument, rules: LevelRules, conforms: Conforms) {
    this.#document = document;
    this.#rules = rules;
    this.#conforms = conforms;
    if (rules.attachments === 'none') return;
    for (const [key, file] of readNameTree(document.catalog.dict('Names')?.dict('EmbeddedFiles'))) {
      const kept = this.keep(file, key);
      if (kept) this.named.push([key, kept]);
    }
  }

  get all(): Ref[] {
    return [...this.#kept.values()];
  }

  has(specification: Dict): boolean {
    return this.#kept.has(specification);
  }

  /**
   * Keeps and completes a file specification if the level allows its file. Returns a reference to it;
   * `undefined` otherwise.
   */
  keep(object: PdfObject | undefined, fallbackName: string): Ref | undefined {
    const specification = object === undefined ? undefined : asDict(object);
    if (!specification || this.#rules.attachments === 'none') return undefined;
    const known = this.#kept.get(specification);
    if (known) return known;
    const files = specification.dict('EF');
    const raw = files?.raw('UF') ?? files?.raw('F');
    const file = resolve(raw);
    if (!(file instanceof PdfStream)) return undefined;
    if (this.#rules.attachments === 'pdfa' && !isArchived(file, this.#document, this.#conforms))
      return undefined;
    this.#complete(specification, raw instanceof Ref ? raw : Ref.to(file), fallbackName);
    const ref = object instanceof Ref ? object : Ref.to(specification);
    this.#kept.set(specification, ref);
    return ref;
  }

  #complete(specification: Dict, file: Ref, fallbackName: string): void {
    const fileName = specification.string('UF') ?? specification.string('F');
    const title = encodeText((fileName ? decodeText(fileName) : '') || fallbackName || 'attachment');
    specification
      .set('Type', name('Filespec'))
      .set('F', title)
      .set('UF', title)
      .delete('RF', 'DOS', 'Mac', 'Unix');
    specification.set('EF', Dict.of({ F: file, UF: file }));
    if (!RELATIONSHIP.test(specification.name('AFRelationship') ?? ''))
      specification.set('AFRelationship', name('Unspecified'));
    const stream = resolve(file);
    if (!(stream instanceof PdfStream)) return;
    stream.dict.set('Type', name('EmbeddedFile'));
    if (!MEDIA_TYPE.test(stream.dict.name('Subtype') ?? ''))
      stream.dict.set('Subtype', name('application/octet-stream'));
  }
}
