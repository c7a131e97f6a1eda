import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  Dict,
  name,
  PdfStream,
  readContent,
  serialize,
  UnpackBudget,
  type Operation,
} from '../../objects/index.ts';
import type { Layers } from '../removal/layers.ts';
import { fitOperation, fitsOperation } from './fit-operation.ts';
import { limitStates, MAX_STATE_DEPTH } from './limit-states.ts';
import { INTENTS, OPERATORS, PAINTING, PATH_PAINTING } from './operators.ts';
import { nameOf, type ContentUnit } from './graph.ts';

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
    return fitsOperation(operation, this.#content) ? undefined : fitOperation(operation);
  }

  #open(operation: Operation): string | undefined {
    const [tag, properties] = operation.operands;
    const isLayer = this.#layers.present && operation.operator === 'BDC' && nameOf(tag) === 'OC';
    const layer = isLayer ? this.#resources.dict('Properties')?.raw(nameOf(properties) ?? '') : undefined;
    const hides = this.#layers.hides(layer);
    this.#marked.push(hides);
    if (hides) this.#hidden++;
    if (isLayer) return '/OC BMC';
    return fitsOperation(operation, this.#content) ? undefined : fitOperation(operation);
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
}

/** Text that is not shown still moves to the next line, and sets the spaces. */
function hiddenText({ operator, operands }: Operation): string {
  if (operator === "'") return 'T*';
  if (operator !== '"') return '';
  const [word = 0, character = 0] = operands.map((operand) => (typeof operand === 'number' ? operand : 0));
  return `${word} Tw ${character} Tc T*`;
}
