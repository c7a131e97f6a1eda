import { PdfDocument, PdfError, type Dict } from '@platen/pdf/objects';
import type { Coverage } from './byte-range.ts';
import { findChanges, type ChangedArea, type LaterChanges } from './changes.ts';
import { readPermitted } from './permitted.ts';
import type { SignedRevision } from './pictures.ts';
import { listSignedFields, type SignedField } from './signature-fields.ts';
import { findStructureFault } from './structure.ts';
import { findUpdateFault } from './updates.ts';

type CoverageResult = Coverage | { fault: string };

const DAMAGED = 'the structure of the file is damaged, so changes after signing cannot be determined';

/** The revisions of a file that its signatures cover, and what changed after each. */
export class LaterRevisions {
  readonly #document: PdfDocument;
  readonly #coverages: ReadonlyMap<Dict, CoverageResult>;
  /** By the end of the revision. */
  readonly #revisions = new Map<number, PdfDocument | undefined>();
  readonly #faults = new Map<number, string | undefined>();

  /** The ends of revisions that all readers read alike. */
  readonly #soundEnds = new Set<number>();
  readonly #allowed = new Map<number, readonly ChangedArea[]>();

  constructor(
    document: PdfDocument,
    signatures: readonly { field: SignedField; coverage: CoverageResult }[],
  ) {
    this.#document = document;
    this.#coverages = new Map(signatures.map(({ field, coverage }) => [field.field, coverage]));
  }

  /** Returns the bytes that a signature covers, or why it does not cover a revision. */
  coverageOf({ field }: SignedField): CoverageResult {
    return this.#coverages.get(field) ?? { fault: 'has no byte ranges' };
  }

  /** Returns the revision that ends at an offset, or `undefined` if its structure is damaged. */
  revisionAt(end: number): PdfDocument | undefined {
    if (end === this.#document.file.length) return this.#document;
    if (!this.#revisions.has(end)) this.#revisions.set(end, this.#open(end));
    return this.#revisions.get(end);
  }

  /** Tells what changed after a signature that covers the revision up to `end`. */
  changesAfter(signed: SignedField, end: number): LaterChanges {
    if (end === this.#document.file.length) return { changes: 'none', faults: [] };
    const revision = this.revisionAt(end);
    if (!revision || this.#document.repaired) return notAllowed(DAMAGED);
    const fault = this.#faultAfter(revision, end);
    if (fault !== undefined) return notAllowed(fault);
    const covered = listSignedFields(revision).find(
      ({ ref, holder }) => ref?.number === signed.ref?.number && holder?.number === signed.holder?.number,
    );
    if (!covered) return notAllowed('the signature is not a part of the revision that it covers');
    const later = findChanges(revision, this.#document, {
      permitted: readPermitted(covered, revision),
      end,
      endOf: (field) => this.#endOf(field),
    });
    // Damage can surface when objects are read.
    if (revision.repaired || this.#document.repaired) return notAllowed(DAMAGED);
    const { changes, faults, areas } = later;
    if (changes === 'allowed') this.#allowed.set(end, areas);
    return { changes, faults };
  }

  /** The revisions after which all changes were allowed, and the areas where the changes are visible. */
  get allowed(): SignedRevision[] {
    return [...this.#allowed].map(([end, areas]) => ({ end, areas }));
  }

  #endOf(field: Dict): number | undefined {
    const coverage = this.#coverages.get(field);
    if (coverage === undefined) return undefined;
    return 'fault' in coverage ? 0 : coverage.end;
  }

  #open(end: number): PdfDocument | undefined {
    try {
      // A password that opened the file opens its revisions: the encryption never changes.
      const revision = PdfDocument.open(this.#document.file.subarray(0, end));
      return revision.repaired ? undefined : revision;
    } catch (error) {
      if (error instanceof PdfError) return undefined;
      throw error;
    }
  }

  /**
   * Finds a reason why readers can read other objects than the cross-reference sections name. Returns it as a
   * sentence.
   */
  #faultAfter(revision: PdfDocument, end: number): string | undefined {
    if (!this.#faults.has(end)) this.#faults.set(end, this.#findFault(revision, end));
    return this.#faults.get(end);
  }

  #findFault(revision: PdfDocument, end: number): string | undefined {
    const { offset, entries, trailer } = revision.xref;
    if (offset === undefined) return DAMAGED;
    if (offset === this.#document.xref.offset)
      return 'bytes that are not a part of the document were appended after signing';
    // An earlier revision is well-formed, and so is every update after it.
    if (this.#soundEnds.has(end)) return undefined;
    const structure = findStructureFault(revision);
    if (structure !== undefined)
      return `changes after signing cannot be determined, because the signed revision has ${structure}`;
    const ends = new Set<number>();
    const update = findUpdateFault(this.#document, { end, offset, entries, trailer, ends });
    if (update !== undefined) return `the bytes after the signed revision have ${update}`;
    for (const each of ends) this.#soundEnds.add(each);
    return undefined;
  }
}

function notAllowed(fault: string): LaterChanges {
  return { changes: 'not_allowed', faults: [fault] };
}
