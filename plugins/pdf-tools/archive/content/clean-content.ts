import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  name,
  Name,
  PdfStream,
  PdfString,
  readContent,
  resolve,
  serialize,
  UnpackBudget,
  type Operation,
  type PdfObject,
} from '../../../../src/pdf/pdf.ts';
import { fitName, fitNumber, LIMITS } from '../limits/limits.ts';
import type { Layers } from '../removal/layers.ts';
import { limitStates, MAX_STATE_DEPTH } from './limit-states.ts';
import { INTENTS, OPERATORS, PAINTING, PATH_PAINTING } from './operators.ts';
import { nameOf, type ContentUnit } from './graph.ts';

/** No number within the limits has more. */
const MAX_DIGITS = 30;
const MAX_IMAGE_BYTES = 64_000_000;

/** What the content of a document was found to use. */
export interface ContentFindings {
  cmyk: boolean;
}

/**
 * Rewrites content that PDF/A-1b does not allow as it stands: unknown operators and intents, what hidden layers hold, images packed
 * with LZW, operands beyond the limits, states nested too deeply (ISO 19005-1 6.1.10, 6.1.12, 6.2.4, 6.2.9, 6.2.10). Content that
 * needs nothing of it stays as it is, byte by byte.
 */
export function cleanContent(unit: ContentUnit, layers: Layers, findings: ContentFindings): void {
  const content = unit.read();
  if (!content) {
    unit.write(new Uint8Array());
    return;
  }
  const cleaner = new Cleaner(unit.resources, content, layers, findings);
  const written = cleaner.run();
  const result = written ?? content;
  const limited = cleaner.deepest > MAX_STATE_DEPTH ? limitStates(result, unit.resources) : undefined;
  if (limited ?? written) unit.write(limited ?? result);
}

class Cleaner {
  deepest = 0;
  #depth = 0;
  readonly #resources: Dict;
  readonly #content: Buffer;
  readonly #layers: Layers;
  readonly #findings: ContentFindings;
  /** For each open marked content, whether it hides. */
  readonly #marked: boolean[] = [];
  #hidden = 0;

  constructor(resources: Dict, content: Uint8Array, layers: Layers, findings: ContentFindings) {
    this.#resources = resources;
    this.#content = Buffer.from(content.buffer, content.byteOffset, content.length);
    this.#layers = layers;
    this.#findings = findings;
  }

  run(): Buffer | undefined {
    const parts: Buffer[] = [];
    let kept = 0;
    for (const operation of readContent(this.#content)) {
      let written = this.#operation(operation);
      // Some readers take a comment for a part of the word before it.
      if (written === undefined && this.#content[operation.end] === 37)
        written = this.#content.toString('latin1', operation.start, operation.end);
      if (written === undefined) continue;
      parts.push(this.#content.subarray(kept, operation.start), Buffer.from(`${written}\n`, 'latin1'));
      kept = operation.end;
    }
    if (parts.length === 0) return undefined;
    parts.push(this.#content.subarray(kept));
    return Buffer.concat(parts);
  }

  /** What stands for an operation; `undefined` when it may stay. */
  #operation(operation: Operation): string | undefined {
    const { operator, operands } = operation;
    if (!OPERATORS.has(operator)) return '';
    switch (operator) {
      case 'q':
        this.deepest = Math.max(this.deepest, ++this.#depth);
        break;
      case 'Q':
        this.#depth = Math.max(0, this.#depth - 1);
        break;
      case 'BMC':
      case 'BDC':
        return this.#open(operation);
      case 'EMC':
        if (this.#marked.pop()) this.#hidden--;
        break;
      case 'ri':
        if (!INTENTS.has(nameOf(operands[0]) ?? '')) return '';
        break;
      case 'k':
      case 'K':
        this.#findings.cmyk = true;
        break;
      case 'cs':
      case 'CS':
        if (nameOf(operands[0]) === 'DeviceCMYK') this.#findings.cmyk = true;
        break;
    }
    if (this.#hidden > 0) {
      if (PATH_PAINTING.has(operator)) return 'n';
      if (PAINTING.has(operator)) return hiddenText(operation);
    }
    if (operator === 'BI') return this.#image(operation);
    return this.#fits(operation) ? undefined : writeFitting(operation);
  }

  #open(operation: Operation): string | undefined {
    const [tag, properties] = operation.operands;
    const isLayer = this.#layers.present && operation.operator === 'BDC' && nameOf(tag) === 'OC';
    const layer = isLayer ? this.#resources.dict('Properties')?.raw(nameOf(properties) ?? '') : undefined;
    const hides = this.#layers.hides(layer);
    this.#marked.push(hides);
    if (hides) this.#hidden++;
    if (isLayer) return '/OC BMC';
    return this.#fits(operation) ? undefined : writeFitting(operation);
  }

  #image({ image }: Operation): string | undefined {
    if (!image) return '';
    const { dict } = image;
    const space = nameOf(dict.raw('CS') ?? dict.raw('ColorSpace'));
    if (space === 'CMYK' || space === 'DeviceCMYK') this.#findings.cmyk = true;
    const filter = dict.get('F') ?? dict.get('Filter');
    const filters = (Array.isArray(filter) ? filter : [filter]).map((one) => nameOf(one));
    const packedWithLzw = filters.some((one) => one === 'LZW' || one === 'LZWDecode');
    const interpolated = (dict.get('I') ?? dict.get('Interpolate')) === true;
    const intent = dict.name('Intent');
    const strange = intent !== undefined && !INTENTS.has(intent);
    if (!packedWithLzw && !interpolated && !strange) return undefined;
    dict.delete('I', 'Interpolate');
    if (strange) dict.delete('Intent');
    let { data } = image;
    if (packedWithLzw) {
      const unpacked = decodeStream(new PdfStream(dict, data), new UnpackBudget(MAX_IMAGE_BYTES));
      if (!unpacked) return '';
      data = deflateSync(unpacked);
      dict.delete('Filter', 'DecodeParms', 'DP').set('F', name('Fl'));
    }
    const entries = [...dict.map].map(([key, value]) => `/${key} ${serialize(value, () => 0)}`);
    return `BI ${entries.join(' ')} ID ${Buffer.from(data).toString('latin1')}\nEI`;
  }

  /** Tells whether the operands are within the limits, and strings written in pairs of hexadecimal digits. */
  #fits({ operands, start, end }: Operation): boolean {
    let strings = false;
    const visit = (object: PdfObject): boolean => {
      // An integer may be larger; whether it is written as one is not asked.
      if (typeof object === 'number') return Math.abs(object) <= LIMITS.real;
      if (object instanceof Name) return object.value.length <= LIMITS.nameBytes;
      if (object instanceof PdfString) {
        strings = true;
        return object.bytes.length <= LIMITS.stringBytes;
      }
      if (Array.isArray(object)) return object.length <= LIMITS.arrayItems && object.every(visit);
      return !(object instanceof Dict) || [...object.map.values()].every(visit);
    };
    if (!operands.every(visit)) return false;
    if (strings) return hasEvenStrings(this.#content, start, end);
    return (
      !operands.some((operand) => typeof operand === 'number') || hasPlainNumbers(this.#content, start, end)
    );
  }
}

/** Text that is not shown still moves to the next line, and sets the spaces. */
function hiddenText({ operator, operands }: Operation): string {
  if (operator === "'") return 'T*';
  if (operator !== '"') return '';
  const [word = 0, character = 0] = operands.map((operand) => (typeof operand === 'number' ? operand : 0));
  return `${word} Tw ${character} Tc T*`;
}

/**
 * Tells whether all numbers between two places, where no strings are, are of one sign, digits and one point: what is not, each reader
 * takes for another number.
 */
function hasPlainNumbers(content: Uint8Array, start: number, end: number): boolean {
  let points = 0;
  let digits = 0;
  let within = false;
  for (let at = start; at < end; at++) {
    const byte = content[at] ?? 32;
    // The names of resources may have anything in them.
    if (byte === 47 || byte === 37) return true;
    const isDigit = byte >= 48 && byte <= 57;
    if (isDigit) digits++;
    else if (byte === 46) points++;
    else if (byte === 43 || byte === 45) {
      if (within) return false;
    } else {
      if (within && digits === 0) return false;
      within = false;
      points = digits = 0;
      continue;
    }
    within = true;
    if (points > 1 || digits > MAX_DIGITS) return false;
  }
  return true;
}

/** Tells whether the hexadecimal strings between two places have pairs of digits alone. */
function hasEvenStrings(content: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (content[at] === 40) return !Buffer.from(content.subarray(start, end)).includes(60);
    if (content[at] !== 60) continue;
    if (content[at + 1] === 60) {
      at++;
      continue;
    }
    let digits = 0;
    for (at++; at < end && content[at] !== 62; at++) {
      const byte = content[at] ?? 0;
      const lower = byte | 32;
      if ((byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 102)) digits++;
      else if (byte > 32) return false;
    }
    if (digits % 2 !== 0) return false;
  }
  return true;
}

function writeFitting({ operator, operands }: Operation): string {
  const fitted = operands.map(fitOperand);
  const [first] = fitted;
  if (operator === 'Tj' && first instanceof PdfString && first.bytes.length > LIMITS.stringBytes)
    return cut(first)
      .map((part) => `${write(part)} Tj`)
      .join('\n');
  if (operator === 'TJ' && Array.isArray(first)) {
    const items = first.flatMap((item): PdfObject[] => (item instanceof PdfString ? cut(item) : [item]));
    const rows: string[] = [];
    for (let at = 0; at < items.length; at += LIMITS.arrayItems)
      rows.push(`${write(items.slice(at, at + LIMITS.arrayItems))} TJ`);
    return rows.join('\n');
  }
  const moved = operator === 'cm' ? splitMove(operands) : undefined;
  return moved ?? `${fitted.map(write).join(' ')} ${operator}`;
}

/**
 * A move too far for a real number goes there in whole units first, and then by what is left: Chromium writes the pages of a long
 * document as parts of one high page, and a rounded move would shift their lines.
 */
function splitMove(operands: readonly PdfObject[]): string | undefined {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands.map((operand) => Number(operand));
  if (operands.length !== 6 || ![a, b, c, d].every((value) => Math.abs(value) <= LIMITS.real))
    return undefined;
  const [across, up] = [e, f].map((value) => fitNumber(Math.trunc(value))) as [number, number];
  return `1 0 0 1 ${across} ${up} cm ${[a, b, c, d, e - across, f - up].map(write).join(' ')} cm`;
}

function fitOperand(object: PdfObject): PdfObject {
  if (typeof object === 'number') return fitNumber(object);
  if (object instanceof Name) return name(fitName(object.value));
  if (Array.isArray(object)) return object.map(fitOperand);
  if (object instanceof Dict)
    return new Dict([...object.map].map(([key, value]) => [fitName(key), fitOperand(value)]));
  return object;
}

/** Characters of two bytes stay whole. */
function cut({ bytes }: PdfString): PdfString[] {
  const size = LIMITS.stringBytes - 1;
  const parts: PdfString[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += size)
    parts.push(new PdfString(bytes.subarray(at, at + size)));
  return parts;
}

function write(object: PdfObject): string {
  return serialize(resolve(object) ?? null, () => 0);
}
