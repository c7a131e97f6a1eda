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
} from '@platen/pdf/objects';
import type { Layers } from '../removal/layers.ts';
import { fitOperation, fitsOperation } from './fit-operation.ts';
import { limitStateDepth, MAX_STATE_DEPTH } from './limit-state-depth.ts';
import { INTENTS, OPERATORS, PAINTING, PATH_PAINTING } from '../../content/operators.ts';
import { nameOf, type ContentUnit } from '../../content/graph.ts';

const MAX_IMAGE_BYTES = 64_000_000;

/** The features that the content streams of a document use. */
interface ContentFindings {
  /** Whether any content uses `DeviceCMYK`. */
  cmyk: boolean;
}

/**
 * Rewrites content that PDF/A does not allow: unknown operators and rendering intents, content of hidden
 * layers, inline images that are interpolated or compressed with LZW, operands beyond the limits, and
 * graphics states that nest too deeply (ISO 19005-1 6.1.10, 6.1.12, 6.2.4, 6.2.9, 6.2.10). Content that
 * already conforms stays byte for byte the same.
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
  const limited = cleaner.deepest > MAX_STATE_DEPTH ? limitStateDepth(result, unit.resources) : undefined;
  if (limited ?? written) unit.write(limited ?? result);
}

class Cleaner {
  /** The deepest nesting of graphics states. */
  deepest = 0;
  #depth = 0;
  readonly #resources: Dict;
  readonly #content: Buffer;
  readonly #layers: Layers;
  readonly #findings: ContentFindings;
  /** For each open marked-content sequence, whether it begins a hidden layer. */
  readonly #marked: boolean[] = [];
  /** The number of open hidden layers. */
  #hidden = 0;

  constructor(resources: Dict, content: Uint8Array, layers: Layers, findings: ContentFindings) {
    this.#resources = resources;
    this.#content = Buffer.from(content.buffer, content.byteOffset, content.length);
    this.#layers = layers;
    this.#findings = findings;
  }

  /** Returns the rewritten content; `undefined` if nothing changes. */
  run(): Buffer | undefined {
    const parts: Buffer[] = [];
    let kept = 0;
    for (const operation of readContent(this.#content)) {
      let written = this.#operation(operation);
      // Some readers treat a comment as part of the preceding token.
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

  /** Returns the replacement of an operation; `undefined` to keep it. */
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
    const usesLzw = filters.some((one) => one === 'LZW' || one === 'LZWDecode');
    const interpolated = (dict.get('I') ?? dict.get('Interpolate')) === true;
    const intent = dict.name('Intent');
    const unknownIntent = intent !== undefined && !INTENTS.has(intent);
    if (!usesLzw && !interpolated && !unknownIntent) return undefined;
    dict.delete('I', 'Interpolate');
    if (unknownIntent) dict.delete('Intent');
    let { data } = image;
    if (usesLzw) {
      const unpacked = decodeStream(new PdfStream(dict, data), new UnpackBudget(MAX_IMAGE_BYTES));
      if (!unpacked) return '';
      data = deflateSync(unpacked);
      dict.delete('Filter', 'DecodeParms', 'DP').set('F', name('Fl'));
    }
    const entries = [...dict.map].map(([key, value]) => `/${key} ${serialize(value, () => 0)}`);
    return `BI ${entries.join(' ')} ID ${Buffer.from(data).toString('latin1')}\nEI`;
  }
}

/** Keeps the effects of a hidden text operator on the text line and the spacing. */
function hiddenText({ operator, operands }: Operation): string {
  if (operator === "'") return 'T*';
  if (operator !== '"') return '';
  const [word = 0, character = 0] = operands.map((operand) => (typeof operand === 'number' ? operand : 0));
  return `${word} Tw ${character} Tc T*`;
}
