import {
  Dict,
  PdfStream,
  readPages,
  Ref,
  resolve,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { ANNOTATING, ChangeLog, FILLING, type ComparedSignature } from './change-log.ts';
import { compareFields, MAX_FIELD_DEPTH } from './compare-fields.ts';
import { findTreeDifference, listNodes } from './compare-page-tree.ts';
import { matchLists } from './sequences.ts';
import { listFormFields } from './signature-fields.ts';

/** Whether a file changed after a signature, and the changes that are not allowed, as sentences. */
export interface LaterChanges {
  changes: 'none' | 'allowed' | 'not_allowed';
  faults: string[];
}

/** The part of a page where a permitted change is visible. */
export interface ChangedArea {
  /** The index of the page. */
  page: number;
  /** Two opposite corners in user space. */
  box: readonly number[];
  /**
   * The number of letters and digits of the signed page that may lie in the box. Without it, the number does
   * not matter.
   */
  maxCovered?: number | undefined;
}

/** The result of a comparison, and the areas where the permitted changes are visible. */
export interface ComparedRevisions extends LaterChanges {
  areas: ChangedArea[];
}

/** Entries of the catalog that may always change. Archiving adds them, and they do not affect the display. */
const ARCHIVING = ['DSS', 'Extensions', 'Version'];
/**
 * Entries of the catalog, of pages and of annotations that name pages, annotations and fields. All others are
 * compared with all that they reach.
 */
const CATALOG_LINKS = new Set([
  'Outlines',
  'StructTreeRoot',
  'Names',
  'Dests',
  'OpenAction',
  'AA',
  'Threads',
  'Perms',
]);
const PAGE_LINKS = new Set(['Parent', 'B', 'AA', 'PresSteps', 'DPart']);
const ANNOTATION_LINKS = new Set(['P', 'Parent', 'Popup', 'IRT', 'A', 'AA', 'PA', 'Dest']);
const FORM_LINKS = new Set(['CO']);
/** Entries that have a comparison of their own. */
const CATALOG_PARTS = new Set(['AcroForm', 'Pages', ...ARCHIVING]);
const PAGE_PARTS = new Set(['Annots']);
const FORM_PARTS = new Set(['Fields']);
/**
 * The annotations that commenting makes (ISO 32000-1 table 169). Others are content, such as watermarks, or
 * run programs.
 */
const COMMENTS = new Set(
  (
    'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline ' +
    'Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment Link Redact'
  ).split(' '),
);

/**
 * Compares the revision that a signature covers with the current document, and tells whether the signature
 * permits the changes. Everything that the catalog reaches must be equal, except: validation data and
 * document timestamps; from level 2, values of fields and further signatures; from level 3, annotations. An
 * exception applies only on the path where the object has this role: a field may change in the form, but not
 * where a page uses the same object as a resource.
 */
export function findChanges(
  old: PdfDocument,
  now: PdfDocument,
  signature: ComparedSignature,
): ComparedRevisions {
  return new Comparison(old, now, signature).run();
}

class Comparison {
  readonly #old: PdfDocument;
  readonly #now: PdfDocument;
  readonly #pages: readonly [readonly Page[], readonly Page[]];
  readonly #fields: ReadonlySet<Dict>;
  readonly #log: ChangeLog;

  constructor(old: PdfDocument, now: PdfDocument, signature: ComparedSignature) {
    this.#old = old;
    this.#now = now;
    this.#pages = [readPages(old).pages, readPages(now).pages];
    const fields = listFormFields(old);
    this.#fields = new Set(fields.map(({ field }) => field));
    const targets = new Set<number>();
    const add = (object: PdfObject | undefined) => {
      if (object instanceof Ref) targets.add(object.number);
    };
    for (const { ref } of fields) add(ref);
    for (const node of listNodes(old.catalog.raw('Pages'))) targets.add(node);
    for (const { ref, dict } of this.#pages[0]) {
      add(ref);
      for (const annotation of dict.array('Annots') ?? []) add(annotation);
    }
    add(old.trailer.raw('Root'));
    this.#log = new ChangeLog({ old, now, linkTargets: targets }, signature);
  }

  run(): ComparedRevisions {
    const [old, now] = [this.#old, this.#now];
    this.#compareForms(old.catalog.dict('AcroForm'), now.catalog.dict('AcroForm'));
    this.#comparePages();
    this.#findStrayWidgets();
    this.#compareCatalogs(old.catalog, now.catalog);
    this.#compareObjectStreams();
    if (!this.#log.contents.areEqual(old.trailer.raw('Encrypt'), now.trailer.raw('Encrypt')))
      this.#log.report('the encryption of the file changed after signing');
    const { faults } = this.#log;
    return { changes: faults.length > 0 ? 'not_allowed' : 'allowed', faults, areas: this.#areas() };
  }

  /**
   * Finds widgets that show the value of a filled field in some readers, although the form does not list
   * them.
   */
  #findStrayWidgets(): void {
    if (this.#log.filledFields.size === 0) return;
    const listed = new Set(listFormFields(this.#now).map(({ field }) => field));
    for (const [index, { dict }] of this.#pages[1].entries())
      for (const each of dict.array('Annots') ?? []) {
        const widget = resolve(each);
        if (!(widget instanceof Dict) || listed.has(widget)) continue;
        const parents = [...parentsOf(widget)];
        if (parents.some((parent) => this.#log.filledFields.has(parent)))
          this.#log.report(`page ${index + 1} has a widget of a filled field that the form does not list`);
      }
  }

  /**
   * Compares the object streams that still contain objects: readers differ in how they find an object in a
   * changed one.
   */
  #compareObjectStreams(): void {
    const [old, now] = [this.#old, this.#now];
    const streams = new Set<number>();
    for (const [number, entry] of old.xref.entries) {
      const other = now.xref.entries.get(number);
      if (entry.kind === 'compressed' && other?.kind === 'compressed' && entry.stream === other.stream)
        streams.add(entry.stream);
    }
    for (const number of streams)
      if (!this.#log.contents.areEqual(old.ref(number), now.ref(number)))
        return this.#log.report('an object stream changed after signing');
  }

  #compareCatalogs(before: Dict, after: Dict): void {
    const log = this.#log;
    const isArchived = log.hasNewTimestamp || !log.contents.areEqual(before.raw('DSS'), after.raw('DSS'));
    for (const key of log.differences(before, after, { links: CATALOG_LINKS, except: CATALOG_PARTS })) {
      const change = `the entry ${key} of the document catalog changed`;
      if (key !== 'Metadata' || !(after.get(key) instanceof PdfStream)) log.report(`${change} after signing`);
      // Writers note the time of an update in the metadata.
      else if (!isArchived) log.require(FILLING, change);
    }
  }

  #comparePages(): void {
    const log = this.#log;
    const [before, after] = this.#pages;
    const [tree, otherTree] = [this.#old.catalog.raw('Pages'), this.#now.catalog.raw('Pages')];
    const difference = findTreeDifference(tree, otherTree, log.contents);
    if (difference !== undefined) return log.report(`${difference} after signing`);
    if (before.length !== after.length) return log.report('pages were added or removed after signing');
    for (const [index, { dict }] of before.entries()) {
      const other = after[index]?.dict ?? new Dict();
      const page = `page ${index + 1}`;
      for (const key of log.differences(dict, other, { links: PAGE_LINKS, except: PAGE_PARTS }))
        log.report(`${page} changed after signing (${key})`);
      this.#compareAnnotations(page, dict, other);
    }
  }

  #compareAnnotations(page: string, before: Dict, after: Dict): void {
    const log = this.#log;
    const [old, now] = [before.get('Annots') ?? [], after.get('Annots') ?? []];
    if (!Array.isArray(old) || !Array.isArray(now)) {
      if (!log.contents.areEqual(old, now)) log.report(`${page} changed after signing (Annots)`);
      return;
    }
    const { pairs, added, isComplete } = matchLists(old, now);
    for (const [a, b] of pairs) this.#compareAnnotation(page, a, b);
    const foreign = added.filter((each) => !log.newWidgets.has(resolve(each) as Dict));
    if (isComplete && foreign.length === 0) return;
    if (!isComplete) log.require(ANNOTATING, `annotations on ${page} were removed or reordered`);
    else log.require(ANNOTATING, `an annotation was added to ${page}`);
    for (const each of foreign) this.#checkComment(page, each);
    // Signatures never permit other widgets than their own.
    const widgets = matchLists(
      old.filter((each) => this.#isWidget(each)),
      now.filter((each) => this.#isWidget(each)),
    );
    if (!widgets.isComplete) log.report(`a form field was removed from ${page} or moved on it after signing`);
    for (const each of widgets.added)
      if (!log.newWidgets.has(resolve(each) as Dict))
        log.report(`a form field was added to ${page} after signing`);
    for (const each of [...old, ...now]) if (!this.#isWidget(each)) this.#addArea(each);
  }

  #isWidget(object: PdfObject): boolean {
    const dict = resolve(object);
    return dict instanceof Dict && (dict.name('Subtype') === 'Widget' || this.#fields.has(dict));
  }

  #compareAnnotation(page: string, before: PdfObject, after: PdfObject): void {
    const log = this.#log;
    const [old, now] = [resolve(before), resolve(after)];
    // The comparison of the form includes the fields.
    if (old instanceof Dict && this.#fields.has(old)) return;
    const isSame =
      old instanceof Dict && now instanceof Dict
        ? log.differences(old, now, { links: ANNOTATION_LINKS, except: new Set() }).length === 0
        : log.contents.areEqual(before, after);
    if (isSame) return;
    if (this.#isWidget(before) || this.#isWidget(after))
      log.report(`a form field on ${page} changed after signing`);
    log.require(ANNOTATING, `an annotation on ${page} changed`);
    this.#checkComment(page, after);
    this.#addArea(before);
    this.#addArea(after);
  }

  /** Requires that a new or changed annotation is a comment or a link, and runs no actions. */
  #checkComment(page: string, annotation: PdfObject): void {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict) || !COMMENTS.has(dict.name('Subtype') ?? ''))
      this.#log.report(`an annotation that is not a comment was added to ${page} or changed after signing`);
    else if (dict.map.has('AA') || (dict.map.has('A') && !isPlainLink(dict.dict('A'))))
      this.#log.report(`an annotation with an action was added to ${page} or changed after signing`);
  }

  #addArea(annotation: PdfObject): void {
    const dict = resolve(annotation);
    if (dict instanceof Dict) this.#log.changedAnnotations.add(dict);
  }

  #compareForms(before: Dict | undefined, after: Dict | undefined): void {
    const log = this.#log;
    const [old, now] = [before ?? new Dict(), after ?? new Dict()];
    compareFields(old, now, log);
    for (const key of log.differences(old, now, { links: FORM_LINKS, except: FORM_PARTS })) {
      const change = `the form changed after signing (${key})`;
      if (key === 'SigFlags' && typeof now.get(key) === 'number') continue;
      // Readers draw all fields anew if the entry is true.
      if (key === 'NeedAppearances' && (old.get(key) === true) === (now.get(key) === true)) continue;
      // Filling in a form, or creating it, may add a default appearance and resources.
      const isAdded =
        !old.map.has(key) || (key === 'DR' && this.#hasOnlyAdditions(old.get(key), now.get(key), 0));
      if ((key === 'DA' || key === 'DR') && isAdded) {
        if (this.#isDrawnByReaders(now)) log.report(change);
        else if ((old.array('Fields') ?? []).length > 0)
          log.require(FILLING, 'the resources of the form changed');
      } else log.report(change);
    }
  }

  /**
   * Tells whether readers draw a field that was not filled in from the default appearance and the resources
   * of the form.
   */
  #isDrawnByReaders(form: Dict): boolean {
    const drawsAll = form.get('NeedAppearances') === true;
    return listFormFields(this.#old).some(({ field, ref, type, hasValue }) => {
      if (type === 'Sig' || field.name('Subtype') !== 'Widget' || (field.map.has('AP') && !drawsAll))
        return false;
      const other = ref && this.#now.ref(ref.number).value;
      const isFilled = other instanceof Dict && this.#log.changedAnnotations.has(other);
      return !isFilled && (hasValue || field.dict('MK')?.map.has('CA') === true);
    });
  }

  /** Tells whether resources of a form have all old entries. */
  #hasOnlyAdditions(before: PdfObject | undefined, after: PdfObject | undefined, depth: number): boolean {
    if (!(before instanceof Dict && after instanceof Dict)) return this.#log.contents.areEqual(before, after);
    return [...before.map].every(([key, value]) =>
      depth === 0 && resolve(value) instanceof Dict
        ? this.#hasOnlyAdditions(resolve(value), after.get(key), 1)
        : this.#log.contents.areEqual(value, after.raw(key)),
    );
  }

  /** Finds the areas of the annotations that may look different. */
  #areas(): ChangedArea[] {
    const { changedAnnotations, coveringWidgets } = this.#log;
    if (changedAnnotations.size === 0) return [];
    const areas: ChangedArea[] = [];
    for (const pages of this.#pages)
      for (const [page, { dict }] of pages.entries())
        for (const each of dict.array('Annots') ?? []) {
          const annotation = resolve(each);
          if (!(annotation instanceof Dict) || !changedAnnotations.has(annotation)) continue;
          const box = (annotation.array('Rect') ?? []).map((side) => resolve(side));
          if (box.length === 4 && box.every((side) => typeof side === 'number'))
            areas.push({ page, box, maxCovered: coveringWidgets.get(annotation) });
        }
    return areas;
  }
}

/** Returns the fields above a widget. */
function* parentsOf(widget: Dict): Generator<Dict> {
  let parent = widget.dict('Parent');
  for (let depth = 0; parent && depth < MAX_FIELD_DEPTH; depth += 1, parent = parent.dict('Parent'))
    yield parent;
}

/** Tells whether an action opens an address or a page, and nothing else. */
function isPlainLink(action: Dict | undefined): boolean {
  const kind = action?.name('S');
  return (kind === 'URI' || kind === 'GoTo') && action?.map.has('Next') === false;
}
