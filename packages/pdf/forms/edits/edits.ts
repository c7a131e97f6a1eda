import {
  appendUpdate,
  canAppend,
  Dict,
  InputFault,
  Ref,
  informationOf,
  writePdf,
  type Direct,
  type PdfDocument,
} from '../../objects/index.ts';
import type { Node } from '../fields/field.ts';

/** Collects changes to the objects of a document, and writes the changed file. */
export class Edits {
  readonly #document: PdfDocument;
  readonly #changed = new Set<Ref>();
  /** Whether a direct object changed, which an incremental update cannot replace by itself. */
  #hasDirectChanges = false;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Marks a node as changed, and returns its dictionary. */
  touch({ dict, ref }: Node): Dict {
    if (ref && this.#document.owns(ref) && ref.value === dict) this.#changed.add(ref);
    else this.#hasDirectChanges = true;
    return dict;
  }

  /** Marks the catalog as changed, and returns it. */
  touchCatalog(): Dict {
    const { catalog, trailer } = this.#document;
    const ref = trailer.raw('Root');
    return this.touch({ dict: catalog, ref: ref instanceof Ref ? ref : undefined });
  }

  /** Marks the interactive form as changed, and returns it. Creates it if necessary. */
  touchForm(): Dict {
    const { catalog } = this.#document;
    const entry = catalog.raw('AcroForm');
    const dict = catalog.dict('AcroForm');
    if (dict && entry instanceof Ref) return this.touch({ dict, ref: entry });
    const form = dict ?? new Dict();
    this.touchCatalog().set('AcroForm', form);
    return form;
  }

  /** Removes an object. */
  remove(ref: Ref): void {
    if (!this.#document.owns(ref)) return;
    ref.value = null;
    this.#changed.add(ref);
  }

  /**
   * Writes the changed file. Appends an incremental update if possible, unless `rewrite` asks for a new file
   * without old values. Never rewrites a signed file.
   * @throws {InputFault} if the file is signed and would have to be rewritten.
   */
  write({ signed, rewrite }: { signed: boolean; rewrite: boolean }): Uint8Array {
    const document = this.#document;
    const appends = canAppend(document) && !this.#hasDirectChanges && (!rewrite || document.encrypted);
    if (appends) {
      const changed = new Map<Ref, Direct>();
      for (const ref of this.#changed) changed.set(ref, ref.value);
      return appendUpdate(document, changed);
    }
    if (signed)
      throw new InputFault('pdf', 'is signed and damaged: rewriting it would invalidate the signature');
    const root = document.trailer.raw('Root');
    return writePdf({
      root: root instanceof Ref ? root : Ref.to(document.catalog),
      info: informationOf(document),
      version: document.version,
      compact: document.compact,
    });
  }
}
