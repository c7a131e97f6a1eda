import { contentsOf, PageContents } from '../edit/page-content.ts';
import { asDict, Dict, Ref, type Page, type PdfDocument } from '../objects/index.ts';

/** A drawing for a page: form XObjects, and the operators that show them by their resource names. */
export interface PageDrawing {
  forms: readonly Ref[];
  /** Returns the content stream. It returns the same stream for equal drawings, so that pages share it. */
  operators: (names: readonly string[]) => Ref;
}

const EMPTY = new Dict();

/**
 * Draws on pages, over or under their content. Pages that share resources still share them. Pass the same
 * `forms` array for all pages that show the same forms.
 */
export class PageDrawer {
  readonly #layer: 'over' | 'under';
  /** The graphics state of all drawings, or `undefined`. */
  readonly #state: Ref | undefined;
  readonly #contents: PageContents;
  /** The shared resources, keyed by the page's XObjects, its graphics states, and the forms. */
  readonly #shared = new Map<Dict, Map<Dict, Map<readonly Ref[], Shared>>>();
  /** Changed resources, keyed by the original resources and the changed XObjects. */
  readonly #changed = new Map<Dict, Map<Ref, Ref>>();

  constructor(document: PdfDocument, layer: 'over' | 'under', state?: Ref) {
    this.#contents = new PageContents(document);
    this.#layer = layer;
    this.#state = state;
  }

  /** Returns the changed dictionary of a page. The graphics state gets the same name as the first form. */
  draw(page: Page, { forms, operators }: PageDrawing): Dict {
    const original = ownResources(page);
    const { names, objects, states } = this.#share(original.dict ?? EMPTY, forms);
    const drawn = operators(names);
    const contents =
      this.#layer === 'under'
        ? [drawn, ...contentsOf(page)]
        : this.#contents.append(page.dict.raw('Contents'), drawn);
    const resources = () => {
      const dict = (original.dict ?? EMPTY).copy().set('XObject', objects);
      return states ? dict.set('ExtGState', states) : dict;
    };
    return page.dict
      .copy()
      .set(
        'Resources',
        original.isShared ? this.#resources(original.dict ?? EMPTY, objects, resources) : resources(),
      )
      .set('Contents', contents);
  }

  /** Returns the changed copy of shared resources. Pages with the same forms share the copy. */
  #resources(shared: Dict, objects: Ref, make: () => Dict): Ref {
    const ofDict = this.#changed.get(shared) ?? new Map<Ref, Ref>();
    this.#changed.set(shared, ofDict);
    const resources = ofDict.get(objects) ?? Ref.to(make());
    ofDict.set(objects, resources);
    return resources;
  }

  /**
   * Adds the forms and the state to the XObjects and graphics states of a page. Pages that share these
   * entries, or have none, share the result.
   */
  #share(resources: Dict, forms: readonly Ref[]): Shared {
    const [objects, states] = [resources.dict('XObject') ?? EMPTY, resources.dict('ExtGState') ?? EMPTY];
    const ofObjects = this.#shared.get(objects) ?? new Map<Dict, Map<readonly Ref[], Shared>>();
    this.#shared.set(objects, ofObjects);
    const ofStates = ofObjects.get(states) ?? new Map<readonly Ref[], Shared>();
    ofObjects.set(states, ofStates);
    const shared = ofStates.get(forms) ?? this.#add(forms, objects, states);
    ofStates.set(forms, shared);
    return shared;
  }

  #add(forms: readonly Ref[], objects: Dict, states: Dict): Shared {
    const all = objects.copy();
    let number = 1;
    const names = forms.map((form) => {
      while (all.map.has(`PlatenMark${number}`) || states.map.has(`PlatenMark${number}`)) number++;
      all.set(`PlatenMark${number}`, form);
      return `PlatenMark${number}`;
    });
    const [first] = names;
    const hasState = this.#state !== undefined && first !== undefined;
    return {
      names,
      objects: Ref.to(all),
      states: hasState ? Ref.to(states.copy().set(first, this.#state)) : undefined,
    };
  }
}

/** The resources of pages that have the same XObjects and states. */
interface Shared {
  names: string[];
  objects: Ref;
  states: Ref | undefined;
}

/** Returns the resources of a page, and whether other pages may have the same ones. */
function ownResources({ dict, inherited }: Page): { dict: Dict | undefined; isShared: boolean } {
  const resources = dict.get('Resources') ?? null;
  if (resources === null) return { dict: asDict(inherited.get('Resources')), isShared: true };
  return { dict: asDict(resources), isShared: dict.raw('Resources') instanceof Ref };
}
