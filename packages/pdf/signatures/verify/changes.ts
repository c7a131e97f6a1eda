import { Dict, readPages, Ref, resolve, type PdfDocument, type PdfObject } from '../../objects/index.ts';
import type { PermittedChanges } from './permitted.ts';
import { SameObjects } from './same-objects.ts';
import { joinName, listFormFields } from './signature-fields.ts';

/** Whether a file changed after a signature, and the changes that are not allowed, as sentences. */
export interface LaterChanges {
  changes: 'none' | 'allowed' | 'not_allowed';
  problems: string[];
}

const FILLING = 2;
const ANNOTATING = 3;
const MAX_PROBLEMS = 10;
const MAX_FIELD_DEPTH = 32;

/** Entries of the catalog that may always change. Signing and archiving add them, and they do not affect the display. */
const FREE_CATALOG = new Set(['DSS', 'Extensions', 'Metadata', 'Version']);
/** Entries of the form dictionary that may always change. */
const FREE_FORM = new Set(['SigFlags', 'NeedAppearances']);
/** Entries of fields and widgets that filling in a form changes. */
const VALUES = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M']);
/** Entries of a widget that define how it looks. */
const APPEARANCES = ['AP', 'AS'];

/**
 * Compares the revision that a signature covers with the current document, and tells whether the signature permits the changes. Everything
 * that the catalog references must be equal, except: validation data and document timestamps; from level 2, values of fields and further
 * signatures; from level 3, annotations.
 */
export function findChanges(old: PdfDocument, now: PdfDocument, permitted: PermittedChanges): LaterChanges {
  return new Comparison(old, now, permitted).run();
}

class Comparison {
  readonly #old: PdfDocument;
  readonly #now: PdfDocument;
  readonly #permitted: PermittedChanges;
  readonly #same: SameObjects;
  readonly #problems = new Set<string>();
  /** The widgets of signature fields that were added. */
  readonly #newWidgets = new Set<Dict>();
  readonly #fields = new Set<Dict>();

  constructor(old: PdfDocument, now: PdfDocument, permitted: PermittedChanges) {
    this.#old = old;
    this.#now = now;
    this.#permitted = permitted;
    this.#same = new SameObjects(old, now);
  }

  run(): LaterChanges {
    const [before, after] = [this.#old, this.#now];
    const pages = [readPages(before).pages, readPages(after).pages] as const;
    for (const { ref } of pages[0]) this.#same.exclude(ref);
    for (const { ref, field } of listFormFields(before)) {
      this.#same.exclude(ref);
      this.#fields.add(field);
    }
    for (const { field } of listFormFields(after)) this.#fields.add(field);
    for (const key of ['Root', 'Info']) this.#same.exclude(before.trailer.raw(key));
    this.#same.exclude(before.catalog.raw('AcroForm'));
    this.#compareForms(before.catalog.dict('AcroForm'), after.catalog.dict('AcroForm'));
    for (const { dict } of pages[0]) this.#excludeOwnList(dict);
    this.#comparePages(pages);
    this.#compareEntries(
      before.catalog,
      after.catalog,
      (key) => FREE_CATALOG.has(key) || key === 'AcroForm',
      (key) => this.#report(`the entry ${key} of the document catalog changed after signing`),
    );
    if (!this.#same.areEqual(before.trailer.raw('Encrypt'), after.trailer.raw('Encrypt')))
      this.#report('the encryption of the file changed after signing');
    const problems = [...this.#problems];
    return { changes: problems.length > 0 ? 'not_allowed' : 'allowed', problems };
  }

  #report(problem: string): void {
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(problem);
  }

  #require(level: number, change: string): void {
    const stated = this.#permitted.level;
    if (stated < level)
      this.#report(
        stated === 1
          ? `${change} after signing, but the signature forbids all changes`
          : `${change} after signing, which the signature does not allow`,
      );
  }

  /** Compares the entries of two dictionaries, and reports each one that differs. */
  #compareEntries(
    before: Dict,
    after: Dict,
    isFree: (key: string) => boolean,
    report: (key: string) => void,
  ): void {
    for (const key of new Set([...before.map.keys(), ...after.map.keys()]))
      if (!isFree(key) && !this.#same.areEqual(before.raw(key), after.raw(key))) report(key);
  }

  /** Excludes the list of annotations of a page, which is compared with the page. */
  #excludeOwnList(page: Dict): void {
    this.#same.exclude(page.raw('Annots'));
  }

  #comparePages([before, after]: readonly [
    ReturnType<typeof readPages>['pages'],
    ReturnType<typeof readPages>['pages'],
  ]): void {
    if (before.length !== after.length) return this.#report('pages were added or removed after signing');
    for (const [index, { ref, dict }] of before.entries()) {
      const other = after[index];
      if (!other || other.ref.number !== ref.number)
        return this.#report('pages were replaced or reordered after signing');
      const page = `page ${index + 1}`;
      this.#compareEntries(
        dict,
        other.dict,
        (key) => key === 'Annots',
        (key) => this.#report(`${page} changed after signing (${key})`),
      );
      this.#compareAnnotations(page, dict.array('Annots') ?? [], other.dict.array('Annots') ?? []);
    }
  }

  #compareAnnotations(page: string, before: readonly PdfObject[], after: readonly PdfObject[]): void {
    const kept = new Map<number, PdfObject>();
    for (const each of after) if (each instanceof Ref) kept.set(each.number, each);
    for (const [index, each] of before.entries()) {
      const other = each instanceof Ref ? kept.get(each.number) : after[index];
      const dict = resolve(each);
      // Fields are compared with the form.
      if (dict instanceof Dict && this.#fields.has(dict)) {
        if (other === undefined) this.#report(`a form field was removed from ${page} after signing`);
        continue;
      }
      if (!this.#same.areEqual(each, other)) this.#require(ANNOTATING, `an annotation on ${page} changed`);
    }
    const order = before.flatMap((each) => (each instanceof Ref ? [each.number] : []));
    const numbers = new Set(order);
    const present = after.flatMap((each) =>
      each instanceof Ref && numbers.has(each.number) ? [each.number] : [],
    );
    if (order.length === present.length && order.some((number, index) => number !== present[index]))
      this.#require(ANNOTATING, `the annotations on ${page} were reordered`);
    for (const [index, each] of after.entries()) {
      // The first loop compared a direct annotation with a direct annotation at the same position.
      const isCompared = each instanceof Ref ? numbers.has(each.number) : isDirect(before[index]);
      if (isCompared) continue;
      const dict = resolve(each);
      if (dict instanceof Dict && this.#newWidgets.has(dict)) continue;
      if (dict instanceof Dict && dict.name('Subtype') === 'Widget')
        this.#report(`a form field was added to ${page} after signing`);
      else this.#require(ANNOTATING, `an annotation was added to ${page}`);
    }
  }

  #compareForms(before: Dict | undefined, after: Dict | undefined): void {
    const [old, now] = [before ?? new Dict(), after ?? new Dict()];
    this.#compareFieldLists({
      before: old.array('Fields') ?? [],
      after: now.array('Fields') ?? [],
      parent: '',
      type: undefined,
      isFilled: false,
      depth: 0,
    });
    this.#compareEntries(
      old,
      now,
      (key) => key === 'Fields' || FREE_FORM.has(key) || key === 'DR',
      (key) => {
        // Filling in a form may add a default appearance.
        if (!(key === 'DA' && !old.map.has('DA'))) this.#report(`the form changed after signing (${key})`);
      },
    );
    this.#compareResources(old.get('DR'), now.get('DR'), 0);
  }

  /** Allows new resources of a form, but no changes to existing ones. */
  #compareResources(before: PdfObject | undefined, after: PdfObject | undefined, depth: number): void {
    if (before === undefined || before === null) return;
    if (!(before instanceof Dict && after instanceof Dict)) {
      if (!this.#same.areEqual(before, after))
        this.#report('the resources of the form changed after signing');
      return;
    }
    for (const [key, value] of before.map) {
      if (depth === 0 && resolve(value) instanceof Dict)
        this.#compareResources(resolve(value), after.get(key), 1);
      else if (!this.#same.areEqual(value, after.raw(key)))
        this.#report('the resources of the form changed after signing');
    }
  }

  #compareFieldLists(lists: {
    before: readonly PdfObject[];
    after: readonly PdfObject[];
    parent: string;
    type: string | undefined;
    isFilled: boolean;
    depth: number;
  }): void {
    const { before, after, parent, type, isFilled, depth } = lists;
    if (depth > MAX_FIELD_DEPTH) return this.#report('the form is nested too deeply to be compared');
    const present = new Map<number, Ref>();
    for (const each of after) if (each instanceof Ref) present.set(each.number, each);
    const kept = new Set<number>();
    for (const [index, each] of before.entries()) {
      const other = each instanceof Ref ? present.get(each.number) : after[index];
      if (each instanceof Ref) kept.add(each.number);
      const [old, now] = [resolve(each), resolve(other)];
      if (!(old instanceof Dict)) continue;
      if (!(now instanceof Dict))
        this.#report(`the field ${joinName(parent, old)} was removed after signing`);
      else this.#compareField({ old, now, parent, type, isFilled, depth });
    }
    for (const [index, each] of after.entries()) {
      const isKept = each instanceof Ref ? kept.has(each.number) : isDirect(before[index]);
      if (isKept) continue;
      this.#addField(resolve(each), parent);
    }
  }

  #addField(field: PdfObject | undefined, parent: string): void {
    if (!(field instanceof Dict)) return;
    const name = joinName(parent, field);
    if (field.name('FT') !== 'Sig') return this.#report(`the field ${name} was added after signing`);
    for (const each of withKids(field)) {
      this.#newWidgets.add(each);
      if (each.map.has('A') || each.map.has('AA'))
        this.#report(`the field ${name} with an action was added after signing`);
    }
    this.#requireSignature(field, name);
  }

  /** A document timestamp is always permitted. Other signatures need the level for filling in forms. */
  #requireSignature(field: Dict, name: string): void {
    if (field.dict('V')?.name('Type') === 'DocTimeStamp' && withKids(field).every(isInvisible)) return;
    this.#require(FILLING, `the signature field ${name} was added or signed`);
  }

  #compareField(pair: {
    old: Dict;
    now: Dict;
    parent: string;
    type: string | undefined;
    isFilled: boolean;
    depth: number;
  }): void {
    const { old, now, parent, depth } = pair;
    const name = joinName(parent, old);
    const type = old.name('FT') ?? pair.type;
    const isSignature = type === 'Sig';
    const isSigned = isSignature && old.dict('V') !== undefined;
    const differs = (key: string) => !this.#same.areEqual(old.raw(key), now.raw(key));
    let isFilled = pair.isFilled;
    if (isSigned) {
      this.#compareEntries(
        old,
        now,
        (key) => key === 'Kids',
        () => this.#report(`the signature ${name} changed after signing`),
      );
    } else {
      // A first appearance shows a value that was not visible before.
      const isFirst = APPEARANCES.some((key) => !old.map.has(key) && now.map.has(key));
      if (['V', 'I', 'RV'].some((key) => differs(key)) || (isFirst && !isFilled)) {
        isFilled = true;
        if (isSignature) this.#requireSignature(now, name);
        else {
          this.#require(FILLING, `the field ${name} was filled in`);
          if (this.#permitted.locks(name))
            this.#report(`the field ${name} changed after signing, but the signature locks it`);
        }
      }
      this.#compareEntries(
        old,
        now,
        (key) => key === 'Kids' || VALUES.has(key),
        (key) => this.#report(`the field ${name} changed after signing (${key})`),
      );
      if (!isFilled && APPEARANCES.some((key) => differs(key)))
        this.#report(`the appearance of the field ${name} changed after signing, but not its value`);
    }
    this.#compareFieldLists({
      before: old.array('Kids') ?? [],
      after: now.array('Kids') ?? [],
      parent: name,
      type,
      isFilled,
      depth: depth + 1,
    });
  }
}

/** Returns a field and its widgets. */
function withKids(field: Dict): Dict[] {
  const kids = (field.array('Kids') ?? []).map((kid) => resolve(kid));
  return [field, ...kids.filter((kid) => kid instanceof Dict)];
}

/** Tells whether a field or widget has no rectangle, or a rectangle without area. */
function isInvisible(field: Dict): boolean {
  const box = field.array('Rect')?.map((each) => resolve(each));
  return box === undefined || box[0] === box[2] || box[1] === box[3];
}

function isDirect(object: PdfObject | undefined): boolean {
  return object !== undefined && !(object instanceof Ref);
}
