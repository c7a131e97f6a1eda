import {
  asDict,
  buildNumberTree,
  Dict,
  name,
  readNumberTree,
  Ref,
  resolve,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import type { Edits } from '../edits/edits.ts';

/**
 * Moves flattened annotations in the structure tree (ISO 32000-1 14.7.4): the reference to an annotation
 * becomes a reference to its marked content.
 */
export class FlattenedStructure {
  readonly #edits: Edits;
  readonly #root: Dict | undefined;
  readonly #rootRef: Ref | undefined;
  /** The parent tree. */
  readonly #parents: Map<number, PdfObject>;
  /**
   * By structure element, the replacements of its references to annotations; `undefined` removes a reference.
   */
  readonly #replacements = new Map<Dict, { ref: Ref | undefined; kids: Map<Dict, Dict | undefined> }>();
  /** By the key of a page in the parent tree, the structure elements of its marked contents. */
  readonly #marks = new Map<number, PdfObject[]>();
  #nextKey: number;
  #hasChanges = false;

  constructor({ catalog }: PdfDocument, edits: Edits) {
    this.#edits = edits;
    this.#root = catalog.dict('StructTreeRoot');
    const ref = catalog.raw('StructTreeRoot');
    this.#rootRef = ref instanceof Ref ? ref : undefined;
    this.#parents = new Map(readNumberTree(this.#root?.dict('ParentTree')));
    const largest = [...this.#parents.keys()].reduce((most, key) => Math.max(most, key), -1);
    this.#nextKey = Math.max(largest + 1, this.#root?.number('ParentTreeNextKey') ?? 0);
  }

  /** Returns the operators that begin the marked content of an annotation on a page, and end it. */
  mark(page: Page, annotation: Dict): { begin: string; end: string } {
    if (!this.#root) return { begin: '', end: '' };
    const element = this.#elementOf(annotation);
    if (!element) return { begin: '/Artifact BMC\n', end: 'EMC\n' };
    const marks = this.#marksOf(page);
    const number = marks.push(element.source) - 1;
    const content = Dict.of({ Type: name('MCR'), Pg: page.ref, MCID: number });
    this.#replace(element, annotation, content);
    return { begin: `/Span <</MCID ${number}>> BDC\n`, end: 'EMC\n' };
  }

  /** Removes the reference to a removed annotation, unless {@link mark} replaced it. */
  remove(annotation: Dict): void {
    const element = this.#root && this.#elementOf(annotation);
    if (element) this.#replace(element, annotation, undefined);
  }

  /**
   * Changes the type of the structure element of a former widget. PDF/UA allows a Form element only around a
   * widget.
   */
  retype(annotation: Dict, type: string): void {
    const element = this.#root && this.#elementOf(annotation);
    if (element?.dict.name('S') === 'Form') element.dict.set('S', name(type));
  }

  /** Writes the changes to the structure tree. */
  finish(): void {
    if (!this.#root || !this.#hasChanges) return;
    for (const [element, { ref, kids }] of this.#replacements) {
      const dict = this.#edits.touch({ dict: element, ref });
      const value = dict.get('K');
      const before = Array.isArray(value) ? value : [dict.raw('K') ?? null];
      const after = before.flatMap((kid) => {
        const target = asDict(kid)?.dict('Obj');
        if (!target || !kids.has(target)) return [kid];
        return kids.get(target) ?? [];
      });
      dict.set('K', after.length === 1 ? after[0] : after.length > 0 ? after : undefined);
      // PDF/UA allows a Form element only around a widget.
      if (dict.name('S') === 'Form') dict.set('S', name('Span'));
    }
    const root = this.#edits.touch({ dict: this.#root, ref: this.#rootRef });
    root.set('ParentTree', Ref.to(buildNumberTree(this.#parents)));
    root.set('ParentTreeNextKey', this.#nextKey);
  }

  #elementOf(annotation: Dict): { dict: Dict; source: PdfObject } | undefined {
    const key = annotation.number('StructParent');
    const source = key === undefined ? undefined : this.#parents.get(key);
    const dict = asDict(source);
    return dict && source !== undefined ? { dict, source } : undefined;
  }

  #replace(
    { dict, source }: { dict: Dict; source: PdfObject },
    annotation: Dict,
    content: Dict | undefined,
  ): void {
    const known = this.#replacements.get(dict);
    const kids = known?.kids ?? new Map<Dict, Dict | undefined>();
    if (!known) this.#replacements.set(dict, { ref: source instanceof Ref ? source : undefined, kids });
    kids.set(annotation, content);
    this.#parents.delete(annotation.number('StructParent') ?? -1);
    this.#hasChanges = true;
  }

  /** Returns the structure elements of the marked contents of a page. */
  #marksOf(page: Page): PdfObject[] {
    const key = page.dict.number('StructParents');
    const known = key === undefined ? undefined : this.#marks.get(key);
    if (known) return known;
    const own = key === undefined ? undefined : resolve(this.#parents.get(key));
    const marks = Array.isArray(own) ? [...own] : [];
    const used = key ?? this.#nextKey++;
    if (key === undefined) this.#edits.touch({ dict: page.dict, ref: page.ref }).set('StructParents', used);
    this.#marks.set(used, marks);
    this.#parents.set(used, Ref.to(marks));
    return marks;
  }
}
