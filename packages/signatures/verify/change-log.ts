import type { Dict, PdfDocument } from '@platen/pdf/objects';
import type { PermittedChanges } from './permitted.ts';
import { SameObjects } from './same-objects.ts';

/** The DocMDP levels that permit more than validation data and timestamps. */
export const FILLING = 2;
export const ANNOTATING = 3;

const MAX_FAULTS = 10;

/** What the comparison of two revisions needs to know about their signatures. */
export interface ComparedSignature {
  permitted: PermittedChanges;
  /** The end of the bytes that the signature covers. */
  end: number;
  /**
   * Returns the end of the bytes that the signature in a field covers, 0 if it is malformed, or `undefined`
   * for a field without a signature.
   */
  endOf(field: Dict): number | undefined;
}

/** Collects the differences of two revisions. */
export class ChangeLog {
  readonly permitted: PermittedChanges;
  readonly signature: ComparedSignature;
  /** Compares everything that objects reach. */
  readonly contents: SameObjects;
  /** Compares objects that name pages, annotations and fields, but not these. */
  readonly structure: SameObjects;
  /** The widgets of signature fields that were added. */
  readonly newWidgets = new Set<Dict>();
  /** The annotations of both revisions whose appearance may differ. */
  readonly changedAnnotations = new Set<Dict>();
  /** The fields that were filled in, and their widgets. */
  readonly filledFields = new Set<Dict>();
  /**
   * The widgets of filled fields. The number is that of the signed letters and digits that a widget may
   * cover.
   */
  readonly coveringWidgets = new Map<Dict, number>();
  /** The fields of the signed revision that readers calculate from others. */
  readonly calculatedFields = new Set<Dict>();
  /** Whether a document timestamp was added. */
  hasNewTimestamp = false;
  /** The number of fields that may still be compared. A hostile form can list a field many times. */
  remainingFields = 200_000;
  readonly #faults = new Set<string>();

  constructor(
    revisions: { old: PdfDocument; now: PdfDocument; linkTargets: ReadonlySet<number> },
    signature: ComparedSignature,
  ) {
    const { old, now, linkTargets } = revisions;
    this.signature = signature;
    this.permitted = signature.permitted;
    this.contents = new SameObjects(old, now);
    this.structure = new SameObjects(old, now, { targets: linkTargets, contents: this.contents });
  }

  get faults(): string[] {
    return [...this.#faults];
  }

  report(fault: string): void {
    if (this.#faults.size < MAX_FAULTS) this.#faults.add(fault);
  }

  /** Reports a change that needs a higher level than the signature has. */
  require(level: number, change: string): void {
    const stated = this.permitted.level;
    if (stated < level)
      this.report(
        stated === 1
          ? `${change} after signing, but the signature forbids all changes`
          : `${change} after signing, which the signature does not allow`,
      );
  }

  /**
   * Returns the keys of two dictionaries whose entries differ, except those that the caller compares. The
   * values of `links` may name pages, annotations and fields.
   */
  differences(
    before: Dict,
    after: Dict,
    { links, except }: { links: ReadonlySet<string>; except: ReadonlySet<string> },
  ): string[] {
    return [...new Set([...before.map.keys(), ...after.map.keys()])].filter((key) => {
      if (except.has(key)) return false;
      const comparison = links.has(key) ? this.structure : this.contents;
      return !comparison.areEqual(before.raw(key), after.raw(key), key);
    });
  }
}
