import {
  asDict,
  Dict,
  Name,
  PdfString,
  readContent,
  serialize,
  type Operation,
  type PdfObject,
} from '@platen/pdf/objects';

/** A marked-content sequence with an identifier (ISO 32000-1 14.7.4.2). */
export interface Mark {
  mcid: number;
  /** Whether the sequence itself shows text. */
  hasText: boolean;
  /**
   * The start of the text that it shows, as character codes, to recognise content that is repeated on other
   * pages.
   */
  shown: string;
}

/** A replacement of bytes of a content stream. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The operator that begins a mark, and its position. */
interface OpenedMark {
  mark: Mark;
  start: number;
  end: number;
  /** The inline property list with the number; `undefined` if the resources have the list. */
  list: Dict | undefined;
}

/** A drawn form XObject whose content has marks. */
export interface DrawnForm {
  name: string;
  start: number;
  end: number;
  /** The state of the marked content around the form. */
  enclosure: Enclosure;
}

/** The state at a position of a content stream: in tagged content, in an artifact, or in neither. */
export type Enclosure = 'tagged' | 'artifact' | 'open';

const SHOWS_TEXT = new Set(['Tj', 'TJ', "'", '"']);
const BUILDS_PATH = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
const PAINTS_PATH = new Set(['f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*']);
/** Marks that begin with this many equal characters count as equal. A single string may be longer. */
const MAX_SHOWN_CHARACTERS = 200;

/**
 * The marked content of a content stream. {@link edited} puts all untagged content into artifacts, because
 * PDF/UA allows no other content (ISO 14289-1 7.1).
 */
export class MarkedContent {
  /** The marks by number. */
  readonly marks = new Map<number, Mark>();
  /** The drawn forms whose content has marks. */
  readonly forms: DrawnForm[] = [];
  readonly #content: Buffer;
  readonly #opened: OpenedMark[] = [];
  readonly #unmarked: { start: number; end: number; epoch: number }[] = [];

  /** @param hasMarks tells whether a form XObject, given its resource name, contains marks */
  constructor(content: Uint8Array, properties: Dict, hasMarks: (form: string) => boolean) {
    this.#content = Buffer.from(content.buffer, content.byteOffset, content.length);
    this.#read(properties, hasMarks);
  }

  /** Whether the marks can get other numbers, because all have inline property lists. */
  get canRenumber(): boolean {
    return this.#opened.every(({ list }) => list !== undefined);
  }

  /**
   * Returns the content with renumbered marks and renamed forms, and with all untagged content in artifacts.
   * @param numbers the new number of each mark by its old number; marks without a new number become artifacts
   * @param renamed the new resource names of drawn forms
   */
  edited(numbers: ReadonlyMap<number, number>, renamed: ReadonlyMap<DrawnForm, string> = new Map()): Buffer {
    const edits: Edit[] = [];
    for (const { mark, start, end, list } of this.#opened) {
      const number = numbers.get(mark.mcid);
      if (number === undefined) edits.push({ start, end, text: '/Artifact BMC' });
      else if (list && number !== mark.mcid) edits.push({ start, end, text: markText(list, number) });
    }
    for (const { start, end } of this.#unmarked) {
      edits.push({ start, end: start, text: '/Artifact BMC\n' }, { start: end, end, text: '\nEMC' });
    }
    for (const [{ start, end, enclosure }, name] of renamed) {
      const draw = `/${name} Do`;
      edits.push({ start, end, text: enclosure === 'open' ? `/Artifact BMC\n${draw}\nEMC` : draw });
    }
    return applyEdits(this.#content, edits);
  }

  /** Returns the content with the marks replaced by marked content without numbers. */
  withoutMarks(): Buffer {
    const edits = this.#opened.map(({ start, end }) => ({ start, end, text: '/Span BMC' }));
    return applyEdits(this.#content, edits);
  }

  #read(properties: Dict, hasMarks: (form: string) => boolean): void {
    const enclosures: { enclosure: Enclosure; mark: Mark | undefined }[] = [];
    let current: Enclosure = 'open';
    let mark: Mark | undefined;
    // Counts the boundaries of marked content. Content between two boundaries can share an artifact.
    let epoch = 0;
    let pathStart = -1;
    let text: { start: number; epoch: number; shows: Operation[] } | undefined;
    const add = (start: number, end: number, joins = true) => {
      const last = this.#unmarked.at(-1);
      if (joins && last?.epoch === epoch) last.end = end;
      else this.#unmarked.push({ start, end, epoch: joins ? epoch : -1 });
    };
    for (const operation of readContent(this.#content)) {
      const { operator, operands, start, end } = operation;
      if (operator === 'BDC' || operator === 'BMC') {
        epoch++;
        enclosures.push({ enclosure: current, mark });
        const opened: Mark | undefined = current === 'open' ? this.#open(operation, properties) : undefined;
        if (opened) [current, mark] = ['tagged', opened];
        else if (current === 'open' && isName(operands[0], 'Artifact')) current = 'artifact';
      } else if (operator === 'EMC') {
        epoch++;
        const outer = enclosures.pop();
        [current, mark] = outer ? [outer.enclosure, outer.mark] : ['open', undefined];
      } else if (operator === 'BT') text = { start, epoch, shows: [] };
      else if (operator === 'ET') {
        if (text && text.shows.length > 0) {
          if (text.epoch === epoch) add(text.start, end);
          // Marks begin or end within the text object, so artifacts must too.
          else for (const show of text.shows) add(show.start, show.end, false);
        }
        text = undefined;
      } else if (SHOWS_TEXT.has(operator)) {
        if (mark) noteText(mark, operands);
        if (current === 'open') text?.shows.push(operation);
      } else if (BUILDS_PATH.has(operator)) {
        if (pathStart < 0) pathStart = start;
      } else if (PAINTS_PATH.has(operator)) {
        if (current === 'open') add(pathStart < 0 ? start : pathStart, end);
        pathStart = -1;
      } else if (operator === 'n') pathStart = -1;
      else if (operator === 'Do' || operator === 'sh' || operator === 'BI') {
        const [form] = operands;
        if (operator === 'Do' && form instanceof Name && hasMarks(form.value)) {
          epoch++;
          this.forms.push({ name: form.value, start, end, enclosure: current });
        } else if (current === 'open') add(start, end);
      }
    }
  }

  /** Reads the start of a mark. Returns `undefined` for other marked content. */
  #open({ operator, operands, start, end }: Operation, properties: Dict): Mark | undefined {
    if (operator !== 'BDC') return undefined;
    const [, list] = operands;
    const inline = asDict(list);
    const dict = list instanceof Name ? properties.dict(list.value) : inline;
    const mcid = dict?.number('MCID');
    if (mcid === undefined || !isMcid(mcid) || this.marks.has(mcid)) return undefined;
    const mark: Mark = { mcid, hasText: false, shown: '' };
    this.marks.set(mcid, mark);
    this.#opened.push({ mark, start, end, list: inline });
    return mark;
  }
}

/** Tells whether content may have marks with inline property lists. */
export function mentionsMarks(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.length).includes('/MCID');
}

/** Larger numbers would need a large parent tree. */
function isMcid(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < 1_000_000;
}

/** Writes the start of a mark. Its tag has no meaning, because the structure element has the type. */
function markText(list: Dict, mcid: number): string {
  return `/P ${serialize(list.copy().set('MCID', mcid), () => 0)} BDC`;
}

function isName(object: PdfObject | undefined, value: string): boolean {
  return object instanceof Name && object.value === value;
}

function noteText(mark: Mark, operands: readonly PdfObject[]): void {
  for (const operand of operands.flat())
    if (operand instanceof PdfString && operand.bytes.length > 0) {
      mark.hasText = true;
      if (mark.shown.length < MAX_SHOWN_CHARACTERS) mark.shown += operand.key;
    }
}

function applyEdits(content: Buffer, edits: Edit[]): Buffer {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(content.subarray(at, start), Buffer.from(text, 'latin1'));
    at = end;
  }
  parts.push(content.subarray(at));
  return Buffer.concat(parts);
}
