import {
  asDict,
  decodeStream,
  Dict,
  Name,
  PdfStream,
  readContent,
  readNumberTree,
  resolve,
  standalone,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { isLanguageTag } from './check-structure.ts';
import type { UaFindings } from './findings.ts';
import { elementOf, type TaggedElement } from './walk-structure.ts';

const PAINTS = new Set(['Tj', 'TJ', "'", '"', 'f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*', 'sh', 'BI']);
const MAX_DEPTH = 30;

const SHOWS_TEXT = new Set(['Tj', 'TJ', "'", '"']);

/** Whether content is tagged, an artifact, or neither. */
type Marking = 'tagged' | 'artifact' | undefined;

/** The document, the structure elements that its content refers to, and where to report violations. */
export interface ContentContext {
  document: PdfDocument;
  elements: ReadonlyMap<Dict, TaggedElement>;
  findings: UaFindings;
  /** Whether the document has a language, so that its text needs none. */
  hasLanguage: boolean;
}

/** The marks around content. */
interface Around {
  marking: Marking;
  hasLanguage: boolean;
}

/**
 * Checks that all content of the pages is either tagged or an artifact, not both (7.1), and that no form
 * XObject with tags is drawn twice (7.20).
 */
export function checkContentMarks(context: ContentContext, pages: readonly Page[]): void {
  const tree = context.document.catalog.dict('StructTreeRoot')?.dict('ParentTree');
  const parents = new Map(readNumberTree(tree));
  const check = new ContentMarks(context, parents);
  for (const page of pages) check.page(page);
}

class ContentMarks {
  readonly #context: ContentContext;
  readonly #parents: ReadonlyMap<number, PdfObject>;
  readonly #taggedForms = new Set<PdfStream>();

  constructor(context: ContentContext, parents: ReadonlyMap<number, PdfObject>) {
    this.#context = context;
    this.#parents = parents;
  }

  page(page: Page): void {
    const dict = standalone(page);
    const contents = dict.get('Contents');
    const parts = (Array.isArray(contents) ? contents : [contents ?? null]).flatMap((part) => {
      const stream = resolve(part);
      return stream instanceof PdfStream ? [this.#decode(stream), Buffer.from('\n')] : [];
    });
    const resources = dict.dict('Resources') ?? new Dict();
    const outside = { marking: undefined, hasLanguage: this.#context.hasLanguage };
    this.#content(Buffer.concat(parts), { owner: dict, resources, outside, depth: 0 });
  }

  /** Checks a content stream. Returns whether it has tagged content. */
  #content(
    content: Uint8Array,
    { owner, resources, outside, depth }: { owner: Dict; resources: Dict; outside: Around; depth: number },
  ): boolean {
    const { findings } = this.#context;
    const key = owner.number('StructParents');
    const elements = key === undefined ? undefined : resolve(this.#parents.get(key));
    const stack: Around[] = [];
    let { marking, hasLanguage } = outside;
    let hasTags = false;
    for (const { operator, operands } of readContent(content)) {
      if (operator === 'BMC' || operator === 'BDC') {
        stack.push({ marking, hasLanguage });
        const [tag, list] = operands;
        const properties =
          list instanceof Name ? resources.dict('Properties')?.dict(list.value) : asDict(list);
        hasLanguage = this.#language(tag, properties, hasLanguage);
        const mcid = operator === 'BDC' ? properties?.number('MCID') : undefined;
        const isArtifact = tag instanceof Name && tag.value === 'Artifact';
        if (isArtifact && marking === 'tagged') findings.add('7.1', 'an artifact is in tagged content');
        if (mcid !== undefined && marking === 'artifact')
          findings.add('7.1', 'tagged content is in an artifact');
        if (mcid !== undefined && !isArtifact) {
          hasTags = true;
          const parent = Array.isArray(elements) ? elements[mcid] : undefined;
          const element = elementOf(parent, this.#context.elements);
          if (element) marking = 'tagged';
          hasLanguage ||= element?.hasLanguage === true;
        } else if (isArtifact && marking === undefined) marking = 'artifact';
      } else if (operator === 'EMC') ({ marking, hasLanguage } = stack.pop() ?? outside);
      else if (operator === 'Do') {
        const [form] = operands;
        const object = form instanceof Name ? resources.dict('XObject')?.get(form.value) : undefined;
        if (!(object instanceof PdfStream)) continue;
        if (object.dict.name('Subtype') === 'Form') this.#form(object, resources, marking, depth);
        else if (!marking) findings.add('7.1', 'an image is neither tagged nor an artifact');
      } else if (PAINTS.has(operator) && !marking)
        findings.add('7.1', 'content is neither tagged nor an artifact');
      if (SHOWS_TEXT.has(operator) && !hasLanguage) findings.add('7.2', 'text has no language');
    }
    return hasTags;
  }

  /** Checks the language of marked content (7.2). Returns whether the content has one. */
  #language(tag: PdfObject | undefined, properties: Dict | undefined, hasOuter: boolean): boolean {
    const { findings } = this.#context;
    const language = properties?.string('Lang');
    if (language && !isLanguageTag(language))
      findings.add('7.2', 'the language of content is not a language tag');
    const hasLanguage = hasOuter || language !== undefined;
    const describes = ['ActualText', 'Alt', 'E'].some((key) => properties?.string(key) !== undefined);
    if (tag instanceof Name && tag.value === 'Span' && describes && !hasLanguage)
      findings.add('7.2', 'the text alternative of content has no language');
    return hasLanguage;
  }

  #form(form: PdfStream, outer: Dict, marking: Marking, depth: number): void {
    const { findings } = this.#context;
    if (depth === MAX_DEPTH) return findings.add('7.20', 'form XObjects are nested too deeply');
    findings.expect(!form.dict.map.has('Ref'), '7.20', 'a form XObject refers to another file');
    const resources = form.dict.dict('Resources') ?? outer;
    const content = this.#decode(form);
    // Validators do not let the text in a form inherit the language around the form.
    const outside = { marking, hasLanguage: this.#context.hasLanguage };
    if (this.#taggedForms.has(form))
      findings.add('7.20', 'a form XObject with tagged content is drawn twice');
    const hasTags = this.#content(content, { owner: form.dict, resources, outside, depth: depth + 1 });
    if (hasTags) this.#taggedForms.add(form);
  }

  #decode(stream: PdfStream): Uint8Array {
    const decoded = decodeStream(stream, this.#context.document.budget);
    if (!decoded) this.#context.findings.add('7.1', 'the content of a page cannot be decoded');
    return decoded ?? new Uint8Array();
  }
}
