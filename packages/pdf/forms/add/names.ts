import {
  decodeText,
  Dict,
  encodeText,
  InputFault,
  Ref,
  resolve,
  type PdfObject,
} from '../../objects/index.ts';

/** Names that are taken, by fields and by the trees that they are in. */
export class TakenNames {
  readonly #fields = new Set<string>();
  readonly #branches = new Set<string>();

  constructor(names: Iterable<string>) {
    for (const name of names) this.#take(name);
  }

  /** Takes a name. @throws {InputFault} when a field has it, or it would be both a field's and a tree's. */
  take(name: string, path: string): void {
    const refuse = (message: string): never => {
      throw new InputFault(path, message);
    };
    const quoted = JSON.stringify(name);
    if (this.#fields.has(name)) refuse(`${quoted} is the name of a field that is there already`);
    if (this.#branches.has(name)) refuse(`${quoted} is the name of a group of fields, such as ${quoted}.…`);
    const above = branchesOf(name).find((branch) => this.#fields.has(branch));
    if (above !== undefined)
      refuse(`${JSON.stringify(above)} is the name of a field, which can have no fields below it`);
    this.#take(name);
  }

  #take(name: string): void {
    if (name === '') return;
    this.#fields.add(name);
    for (const branch of branchesOf(name)) this.#branches.add(branch);
  }
}

/** The names of the trees that a name is in, from the root on. */
function branchesOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** A node of the tree of fields that holds others. */
class Branch {
  /** `undefined` for the form itself. */
  readonly ref: Ref | undefined;
  readonly kids: PdfObject[];
  readonly #known: number;
  readonly #branches = new Map<string, Branch>();

  constructor(ref: Ref | undefined, kids: readonly PdfObject[]) {
    this.ref = ref;
    this.kids = [...kids];
    this.#known = kids.length;
  }

  /** Tells whether something was added to it. */
  get grown(): boolean {
    return this.kids.length > this.#known;
  }

  get branches(): Iterable<Branch> {
    return this.#branches.values();
  }

  /** Finds the node of a partial name below this one, or makes it. */
  enter(partial: string): Branch {
    const known = this.#branches.get(partial);
    if (known) return known;
    const found = this.kids.find((kid) => isBranchNamed(kid, partial));
    const branch =
      found instanceof Ref ? new Branch(found, kidsOf(found)) : new Branch(Ref.to(new Dict()), []);
    if (branch.ref && branch.ref !== found) {
      branch.ref.value = named(new Dict(), partial, this.ref);
      this.kids.push(branch.ref);
    }
    this.#branches.set(partial, branch);
    return branch;
  }
}

function kidsOf(ref: Ref): readonly PdfObject[] {
  const value = resolve(ref);
  return value instanceof Dict ? (value.array('Kids') ?? []) : [];
}

function isBranchNamed(kid: PdfObject, partial: string): boolean {
  const dict = resolve(kid);
  if (!(kid instanceof Ref) || !(dict instanceof Dict)) return false;
  const own = dict.string('T');
  return own !== undefined && decodeText(own) === partial && dict.array('Kids') !== undefined;
}

function named(node: Dict, partial: string, parent: Ref | undefined): Dict {
  return node.set('T', encodeText(partial)).set('Parent', parent);
}

/** The tree of a form's fields, to which fields are added; the nodes that are there already are found when they are needed. */
export class FieldTree {
  readonly #root: Branch;

  constructor(fields: readonly PdfObject[]) {
    this.#root = new Branch(undefined, fields);
  }

  /** Adds a field below the nodes that its name says, and gives it its partial name. */
  add(name: string, field: Ref, dict: Dict): void {
    const parts = name.split('.');
    const partial = parts.pop() ?? '';
    let branch = this.#root;
    for (const part of parts) branch = branch.enter(part);
    named(dict, partial, branch.ref);
    branch.kids.push(field);
  }

  /** Gives the fields at the root, and the nodes that were there before and have other kids now. */
  finish(): { fields: PdfObject[]; changed: Map<Ref, Dict> } {
    const changed = new Map<Ref, Dict>();
    const waiting = [...this.#root.branches];
    for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
      waiting.push(...branch.branches);
      const dict = resolve(branch.ref);
      if (!branch.ref || !branch.grown || !(dict instanceof Dict)) continue;
      if (branch.ref.number === 0) dict.set('Kids', branch.kids);
      else changed.set(branch.ref, dict.copy().set('Kids', branch.kids));
    }
    return { fields: this.#root.kids, changed };
  }
}
