import { decodeXml, type TreeElement, type TreeNode } from '@platen/xml';
import { quote, tagFault } from './fault.ts';
import { tagOf, type Tag } from './tags.ts';
import { element, elementsOf, rawText, walk } from './tree.ts';

/** The elements of a format that blocks enclose. */
export interface BlockRules {
  /** An element with text, such as `w:t`. */
  text: string;
  /** An element with text of one style, which can be divided, and the element in it with the style. */
  run: string;
  style: string;
  /** The elements that a block can repeat: paragraphs, rows, sheet rows and slides. */
  units: ReadonlySet<string>;
  /** Elements that a block within them, but over several paragraphs or cells of them, repeats as a whole. */
  wholes: ReadonlySet<string>;
  /** Elements without content of their own, such as properties. */
  ignored: ReadonlySet<string>;
  /** Whether each iteration of a block around units begins with `<platen:begin>`. */
  marksIterations?: boolean;
}

/** A block: its opening tag, `else` tags and closing tag. */
interface Block {
  tags: TreeElement[];
  depth: number;
}

/**
 * Moves the tags of blocks to the borders of the parts that they enclose, so that the elements between them
 * are complete: text and runs in a paragraph, paragraphs, rows, or slides. A paragraph or row that has
 * nothing but such tags is removed.
 * @throws {OfficeFault} for blocks that are not closed or enclose no complete parts
 */
export function placeBlocks(root: TreeElement, rules: BlockRules): void {
  const parents = new Map<TreeNode, TreeElement>();
  walk(root, (each, parent) => parents.set(each, parent));
  const mover = new TagMover(rules, parents);
  const blocks = findBlocks(root);
  const structural = blocks.filter(({ tags }) => mover.isStructural(tags));
  mover.replaceMarkers(new Set(structural.flatMap(({ tags }) => tags)));
  for (const [index, block] of structural.entries()) mover.enclose(block, index);
  for (const block of blocks) if (!structural.includes(block)) mover.divide(block);
  requireBalance(root);
}

/** Finds the blocks of a part, outer ones first. @throws {OfficeFault} */
function findBlocks(root: TreeElement): Block[] {
  const blocks: Block[] = [];
  const open: Block[] = [];
  walk(root, (node) => {
    const tag = tagOf(node);
    if (!tag || tag.kind === 'value') return;
    const current = open.at(-1);
    if (tag.kind === 'open') {
      const block = { tags: [node], depth: open.length };
      blocks.push(block);
      open.push(block);
      return;
    }
    if (!current)
      throw tagFault(
        tag.place,
        `${quote(tag.written)} ${tag.kind === 'else' ? 'is outside a block' : 'closes a block that is not open'}`,
      );
    current.tags.push(node);
    if (tag.kind === 'else') return;
    const opened = tagOf(current.tags[0]);
    if (opened && opened.name !== tag.name)
      throw tagFault(
        tag.place,
        `the block ${quote(opened.written)} (${opened.place}) is closed by ${quote(tag.written)}`,
      );
    open.pop();
  });
  const unclosed = tagOf(open.at(-1)?.tags[0]);
  if (unclosed) throw tagFault(unclosed.place, `the block ${quote(unclosed.written)} is not closed`);
  return blocks;
}

class TagMover {
  readonly #rules: BlockRules;
  readonly #parents: Map<TreeNode, TreeElement>;

  constructor(rules: BlockRules, parents: Map<TreeNode, TreeElement>) {
    this.#rules = rules;
    this.#parents = parents;
  }

  /** Returns the elements around a tag, the root first and the tag last. */
  #pathTo(tag: TreeElement): TreeElement[] {
    const path = [tag];
    for (let at = this.#parents.get(tag); at; at = this.#parents.get(at)) path.unshift(at);
    return path;
  }

  /** Returns how many elements are around all tags. */
  #common(paths: readonly (readonly TreeElement[])[]): number {
    const [first = []] = paths;
    const differs = first.findIndex((each, index) => paths.some((path) => path[index] !== each));
    return differs < 0 ? first.length : differs;
  }

  /** Tells whether the tags of a block are in different paragraphs or cells. */
  isStructural(tags: readonly TreeElement[]): boolean {
    const paths = tags.map((tag) => this.#pathTo(tag));
    const around = (paths[0] ?? []).slice(0, this.#common(paths));
    return !around.some(({ name }) => this.#isParagraph(name));
  }

  #isParagraph(name: string): boolean {
    return name === 'w:p' || name === 'a:p' || name === 'c';
  }

  /** Replaces the units that have nothing but tags of blocks around units by these tags. */
  replaceMarkers(structural: ReadonlySet<TreeElement>): void {
    for (const tag of structural) {
      const path = this.#pathTo(tag);
      // The largest unit without other content is the marker, but never one that encloses a whole block.
      const marker = path.find(
        (each) => this.#rules.units.has(each.name) && this.#isMarker(each, structural),
      );
      const parent = marker && this.#parents.get(marker);
      if (!marker || !parent) continue;
      const inside: TreeElement[] = [];
      walk(marker, (each) => void (tagOf(each) && inside.push(each)));
      replaceChild(parent, marker, inside);
      for (const each of inside) this.#parents.set(each, parent);
    }
  }

  #isMarker(unit: TreeElement, structural: ReadonlySet<TreeElement>): boolean {
    let balance = 0;
    let isMarker = true;
    let lowest = 0;
    let has = false;
    walk(unit, (each) => {
      const tag = tagOf(each);
      if (this.#rules.ignored.has(each.name)) {
        if (each.name.endsWith('pPr') && elementsOf(each).some(({ name }) => name === 'w:sectPr'))
          isMarker = false;
        return false;
      }
      if (tag) {
        has = true;
        if (!structural.has(each)) isMarker = false;
        balance += tag.kind === 'open' ? 1 : tag.kind === 'close' ? -1 : 0;
        lowest = Math.min(lowest, balance);
      } else if (each.name === this.#rules.text) {
        if (decodeXml(rawText(each)).trim() !== '') isMarker = false;
      } else if (!CONTAINERS.has(each.name)) isMarker = false;
      return true;
    });
    return isMarker && has && !(balance === 0 && lowest === 0 && this.#opens(unit));
  }

  #opens(unit: TreeElement): boolean {
    let opens = false;
    walk(unit, (each) => void (tagOf(each)?.kind === 'open' && (opens = true)));
    return opens;
  }

  /** Moves the tags of a block around the units that it encloses. */
  enclose({ tags }: Block, id: number): void {
    const [open] = tags;
    const close = tags.at(-1);
    if (!open || !close) return;
    const paths = tags.map((tag) => this.#pathTo(tag));
    let depth = this.#common(paths);
    const [first = []] = paths;
    const whole = first.slice(0, depth).findLastIndex(({ name }) => this.#rules.wholes.has(name));
    const isWhole = whole >= 0 && !first.slice(whole + 1, depth).some(({ name }) => STEPS.has(name));
    if (isWhole) depth = whole;
    const container = first[depth - 1];
    if (!container) return;
    for (const [index, tag] of tags.entries()) {
      const unit = paths[index]?.[depth];
      const info = tagOf(tag);
      if (!unit || !info || unit === tag) continue;
      if (isWhole && info.kind === 'else')
        throw tagFault(info.place, `${quote(info.written)} must stand in a row or paragraph of its own`);
      this.#requireUnit(unit, paths[index] ?? [], info);
      if (
        !isWhole &&
        unit.name !== 'row' &&
        unit.name !== 'w:tr' &&
        unit.name !== 'a:tr' &&
        unit.name !== 'slide'
      )
        this.#requireEdge(unit, tag, info);
      this.#remove(tag);
      insertBeside(container, unit, tag, info.kind === 'close' ? 1 : 0);
      this.#parents.set(tag, container);
    }
    if (!this.#rules.marksIterations) return;
    const mark = (name: string) => element(name, { block: String(id) });
    for (const tag of tags)
      insertBeside(container, tag, mark(tag === close ? 'platen:end' : 'platen:begin'), 1);
  }

  #requireUnit(unit: TreeElement, path: readonly TreeElement[], tag: Tag): void {
    const inside = path.slice(path.indexOf(unit) + 1);
    const isNested = unit.name !== 'slide' && inside.some(({ name }) => NESTED.has(name));
    if (isNested || !this.#rules.units.has(unit.name))
      throw tagFault(
        tag.place,
        `${quote(tag.written)} is in another table, text box or cell than the rest of its block`,
      );
  }

  /** Requires that a tag is at the edge of its paragraph, where the enclosed paragraphs begin or end. */
  #requireEdge(unit: TreeElement, tag: TreeElement, info: Tag): void {
    const text = { before: '', after: '' };
    let side: keyof typeof text = 'before';
    const visit = (each: TreeElement) => {
      for (const child of each.children)
        if (child === tag) side = 'after';
        else if (typeof child === 'string') {
          if (each.name === this.#rules.text) text[side] += child;
        } else if (tagOf(child)?.kind === 'value' || child.name === 'w:drawing') text[side] += 'x';
        else visit(child);
    };
    visit(unit);
    if (text[info.kind === 'close' ? 'after' : 'before'].trim() !== '')
      throw tagFault(
        info.place,
        `${quote(info.written)} must stand ${info.kind === 'close' ? 'at the end' : 'at the start'} of its paragraph or alone in it, because its block continues in another paragraph`,
      );
  }

  /** Moves the tags of a block in one paragraph to the same level, and divides text and runs there. */
  divide({ tags }: Block): void {
    const paths = tags.map((tag) => this.#pathTo(tag));
    const depth = this.#common(paths);
    const container = paths[0]?.[depth - 1];
    if (!container) return;
    for (const tag of tags) {
      for (
        let parent = this.#parents.get(tag);
        parent && parent !== container;
        parent = this.#parents.get(tag)
      ) {
        const info = tagOf(tag);
        if (parent.name !== this.#rules.text && parent.name !== this.#rules.run)
          throw tagFault(
            info?.place ?? '',
            `${quote(info?.written ?? '')} is in another link or field than the rest of its block`,
          );
        this.#divideAt(parent, tag);
      }
    }
  }

  /** Divides an element into the parts before and after a tag, which takes its place between them. */
  #divideAt(divided: TreeElement, tag: TreeElement): void {
    const parent = this.#parents.get(divided);
    if (!parent) return;
    const index = divided.children.indexOf(tag);
    const style = elementsOf(divided).find(({ name }) => name === this.#rules.style);
    const part = (children: TreeNode[]): TreeElement[] => {
      const content = children.filter((child) => child !== style);
      if (content.length === 0) return [];
      const made = {
        ...divided,
        attributes: new Map(divided.attributes),
        children: style ? [style, ...content] : content,
      };
      for (const child of content) if (typeof child === 'object') this.#parents.set(child, made);
      this.#parents.set(made, parent);
      return [made];
    };
    const parts = [
      ...part(divided.children.slice(0, index)),
      tag,
      ...part(divided.children.slice(index + 1)),
    ];
    replaceChild(parent, divided, parts);
    this.#parents.set(tag, parent);
  }

  #remove(tag: TreeElement): void {
    const parent = this.#parents.get(tag);
    if (parent) parent.children = parent.children.filter((child) => child !== tag);
  }
}

/** Elements around paragraphs and cells, within which a block of several of them stays. */
const STEPS = new Set([
  'w:tbl',
  'w:tr',
  'w:tc',
  'w:txbxContent',
  'a:tbl',
  'a:tr',
  'a:tc',
  'a:txBody',
  'p:txBody',
  'sheetData',
  'row',
]);

/** Elements whose paragraphs do not belong to the paragraph or row around them. */
const NESTED = new Set(['w:tbl', 'w:txbxContent', 'a:tbl']);

/** Elements that have no content beside that of their children. */
const CONTAINERS = new Set([
  'w:p',
  'w:r',
  'w:t',
  'w:tc',
  'a:p',
  'a:r',
  'a:t',
  'a:tc',
  'a:txBody',
  'p:txBody',
  'c',
  'is',
  't',
  'r',
  'w:proofErr',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:lastRenderedPageBreak',
  'a:endParaRPr',
  'w:softHyphen',
]);

/** Requires that the tags between the children of each element make complete blocks. @throws {OfficeFault} */
function requireBalance(root: TreeElement): void {
  const check = (parent: TreeElement) => {
    const open: Tag[] = [];
    for (const child of elementsOf(parent)) {
      const tag = tagOf(child);
      if (tag?.kind === 'open') open.push(tag);
      if (tag?.kind === 'close' && !open.pop())
        throw tagFault(tag.place, `the block that ${quote(tag.written)} closes crosses another one`);
    }
    const [unclosed] = open;
    if (unclosed) throw tagFault(unclosed.place, `the block ${quote(unclosed.written)} crosses another one`);
  };
  check(root);
  walk(root, check);
}

function replaceChild(parent: TreeElement, child: TreeElement, others: readonly TreeElement[]): void {
  const index = parent.children.indexOf(child);
  parent.children = [...parent.children.slice(0, index), ...others, ...parent.children.slice(index + 1)];
}

function insertBeside(parent: TreeElement, child: TreeElement, added: TreeElement, offset: 0 | 1): void {
  const index = parent.children.indexOf(child) + offset;
  parent.children = [...parent.children.slice(0, index), added, ...parent.children.slice(index)];
}
