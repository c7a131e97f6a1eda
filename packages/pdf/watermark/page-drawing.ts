import { PageContents } from '../edit/page-content.ts';
import {
  asDict,
  Dict,
  Ref,
  standalone,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';

/** What is drawn on a page: form XObjects, and the operators that show them by the names of their resources. */
export interface PageDrawing {
  forms: readonly Ref[];
  /** Equal streams of equal drawings are shared. */
  operators: (names: readonly string[]) => Ref;
}

const NONE = new Dict();

/**
 * Draws on pages, over or under their content. Pages that share their resources still do. `forms` of a drawing must be
 * the same array for all pages that show the same forms.
 */
export class PageDrawer {
  readonly #layer: 'over' | 'under';
  /** The graphics state of all drawings, or `undefined`. */
  readonly #state: Ref | undefined;
  readonly #contents: PageContents;
  readonly #prepared = new Map<Dict, Map<readonly Ref[], Prepared>>();

  constructor(document: PdfDocument, layer: 'over' | 'under', state?: Ref) {
    this.#contents = new PageContents(document);
    this.#layer = layer;
    this.#state = state;
  }

  /** Returns the changed dictionary of a page. The graphics state has the name of the first form. */
  draw(page: Page, { forms, operators }: PageDrawing): Dict {
    const { names, resources } = this.#prepare(page, forms);
    const drawn = operators(names);
    const contents =
      this.#layer === 'under'
        ? [drawn, ...contentsOf(page)]
        : this.#contents.append(page.dict.raw('Contents'), drawn);
    return page.dict.copy().set('Resources', resources).set('Contents', contents);
  }

  #prepare(page: Page, forms: readonly Ref[]): Prepared {
    const own = asDict(standalone(page).raw('Resources')) ?? NONE;
    const ofDict = this.#prepared.get(own) ?? new Map<readonly Ref[], Prepared>();
    this.#prepared.set(own, ofDict);
    const before = ofDict.get(forms);
    if (before) return before;
    const dict = own.copy();
    const objects = own.dict('XObject')?.copy() ?? new Dict();
    const states = own.dict('ExtGState')?.copy() ?? new Dict();
    let number = 1;
    const names = forms.map((form) => {
      while (objects.map.has(`PlatenMark${number}`) || states.map.has(`PlatenMark${number}`)) number++;
      objects.set(`PlatenMark${number}`, form);
      return `PlatenMark${number}`;
    });
    dict.set('XObject', objects);
    const [first] = names;
    if (this.#state && first !== undefined) dict.set('ExtGState', states.set(first, this.#state));
    const prepared = { names, resources: Ref.to(dict) };
    ofDict.set(forms, prepared);
    return prepared;
  }
}

interface Prepared {
  names: string[];
  resources: Ref;
}

function contentsOf({ dict }: Page): readonly PdfObject[] {
  const list = dict.array('Contents');
  if (list) return list;
  const single = dict.raw('Contents');
  return single instanceof Ref ? [single] : [];
}
