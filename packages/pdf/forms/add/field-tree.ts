import {
  decodeText,
  Dict,
  encodeText,
  InputFault,
  Ref,
  resolve,
  type PdfObject,
} from '../../objects/index.ts';

/** The names in use by fields and by branches of the field tree. */
export class FieldNames {
  readonly #fields = new Set<string>();
  readonly #branches = new Set<string>();

  constructor(names: Iterable<string>) {
    for (const name of names) this.#take(name);
  }

  /**
   * Reserves a name.
   * @throws {InputFault} if a field has this name, or if one name would denote both a field and a branch.
   */
  take(name: string, path: string): void {
    const refuse = (message: string): never => {
      throw new InputFault(path, message);
    };
    const quoted = JSON.stringify(name);
    if (this.#fields.has(name)) refuse(`${quoted} is already the name of a field`);
    if (this.#branches.has(name)) refuse(`${quoted} is the name of a group of fields, such as ${quoted}.…`);
    const above = branchesOf(name).find((branch) => this.#fields.has(branch));
    if (above !== undefined)
      refuse(`${JSON.stringify(above)} is the name of a field, which cannot contain other fields`);
    this.#take(name);
  }

  #take(name: string): void {
    if (name === '') return;
    this.#fields.add(name);
    for (const branch of branchesOf(name)) this.#branches.add(branch);
  }
}

/** Returns the names of all branches above a name, from the root. */
function branchesOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** A field tree node that contains other nodes. */
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

  /** Whether nodes were added. */
  get hasNewKids(): boolean {
    return this.kids.length > this.#known;
  }

  get branches(): Iterable<Branch> {
    return this.#branches.values();
  }

  /** Finds or creates the child with a partial name. */
  child(partial: string): Branch {
    const known = this.#branches.get(partial);
    if (known) return known;
    const found = this.kids.find((kid) => isBranchNamed(kid, partial));
    const branch =
      found instanceof Ref ? new Branch(found, kidsOf(found)) : new Branch(Ref.to(new Dict()), []);
    if (branch.ref && branch.ref !== found) {
      branch.ref.value = withName(new Dict(), partial, this.ref);
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

function withName(node: Dict, partial: string, parent: Ref | undefined): Dict {
  return node.set('T', encodeText(partial)).set('Parent', parent);
}

/** The field tree of a form. Existing nodes are looked up on demand. */
export class FieldTree {
  readonly #root: Branch;

  constructor(fields: readonly PdfObject[]) {
    this.#root = new Branch(undefined, fields);
  }

  /** Adds a field at the position that its full name specifies, and sets its partial name. */
  add(name: string, field: Ref, dict: Dict): void {
    const parts = name.split('.');
    const partial = parts.pop() ?? '';
    let branch = this.#root;
    for (const part of parts) branch = branch.child(part);
    withName(dict, partial, branch.ref);
    branch.kids.push(field);
  }

  /** Returns the root fields, and the existing nodes whose kids changed. */
  finish(): { fields: PdfObject[]; changed: Map<Ref, Dict> } {
    const changed = new Map<Ref, Dict>();
    const waiting = [...this.#root.branches];
    for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
      waiting.push(...branch.branches);
      const dict = resolve(branch.ref);
      if (!branch.ref || !branch.hasNewKids || !(dict instanceof Dict)) continue;
      if (branch.ref.number === 0) dict.set('Kids', branch.kids);
      else changed.set(branch.ref, dict.copy().set('Kids', branch.kids));
    }
    return { fields: this.#root.kids, changed };
  }
}
