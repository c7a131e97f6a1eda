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

/** Changes of a document: objects are changed as they stand, and the file is written with them. */
export class Edits {
  readonly #document: PdfDocument;
  readonly #changed = new Set<Ref>();
  /** Whether something changed that is no object of its own, so that no update can replace it alone. */
  #within = false;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Gives the dictionary of a node, to be changed. */
  touch({ dict, ref }: Node): Dict {
    if (ref && this.#document.owns(ref) && ref.value === dict) this.#changed.add(ref);
    else this.#within = true;
    return dict;
  }

  /** Gives the catalog, to be changed. */
  touchCatalog(): Dict {
    const { catalog, trailer } = this.#document;
    const ref = trailer.raw('Root');
    return this.touch({ dict: catalog, ref: ref instanceof Ref ? ref : undefined });
  }

  /** Gives the interactive form, to be changed; makes one where there is none. */
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
   * Writes the file with its changes: an update behind the bytes as they are, or where that cannot be, or nothing of what was is to
   * stay (`anew`), a new one. A signed file is never written anew.
   * @throws {InputFault} when that would be necessary.
   */
  write({ signed, anew }: { signed: boolean; anew: boolean }): Uint8Array {
    const document = this.#document;
    const appends = canAppend(document) && !this.#within && (!anew || document.encrypted);
    if (appends) {
      const changed = new Map<Ref, Direct>();
      for (const ref of this.#changed) changed.set(ref, ref.value);
      return appendUpdate(document, changed);
    }
    if (signed)
      throw new InputFault('pdf', 'is signed and damaged: writing it anew would make the signature invalid');
    const root = document.trailer.raw('Root');
    return writePdf({
      root: root instanceof Ref ? root : Ref.to(document.catalog),
      info: informationOf(document),
      version: document.version,
      compact: document.compact,
    });
  }
}
