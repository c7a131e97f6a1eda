import {
  asDict,
  Dict,
  Name,
  PdfString,
  readContent,
  type Operation,
  type PdfObject,
} from '../../objects/index.ts';
import { nameOf, type ContentUnit } from '../content/graph.ts';
import { inheritedNames } from '../content/inherited-resources.ts';
import { OPERATORS } from '../content/operators.ts';
import { checkIntent } from './graphics.ts';
import type { CheckContext, Findings } from './findings.ts';
import { findMalformedHexString } from './hex-strings.ts';

const INVISIBLE_TEXT = 3;

/** The colour spaces and fonts that content uses. */
export interface ContentUsage {
  /** The device colour spaces in use. */
  devices: Set<'DeviceGray' | 'DeviceRGB'>;
  /** The resources of the content that uses `DeviceCMYK`. They may define `DefaultCMYK`. */
  cmyk: Set<Dict>;
  /** The fonts of visible text, and the strings that each shows. Each byte is a Latin-1 character. */
  fonts: Map<Dict, Set<string>>;
  /** The fonts of invisible text, such as the recognised text of a scan, and the strings that each shows. */
  invisibleFonts: Map<Dict, Set<string>>;
}

/** Checks the operators and operands of all content streams (6.1.6, 6.1.10, 6.1.12, 6.2.9, 6.2.10). Returns the colour spaces and fonts in use. */
export function checkContent({ graph, findings }: CheckContext): ContentUsage {
  const usage: ContentUsage = {
    devices: new Set(),
    cmyk: new Set(),
    fonts: new Map(),
    invisibleFonts: new Map(),
  };
  for (const unit of graph.units) {
    if (findings.rules.part > 1)
      for (const { name } of inheritedNames(unit))
        findings.add(
          'operators',
          `content uses the resource ${name.slice(0, 60)} of the surrounding content, and does not define it`,
        );
    const content = unit.read();
    if (content) new ContentCheck(unit, usage, findings).run(content);
  }
  return usage;
}

class ContentCheck {
  readonly #unit: ContentUnit;
  readonly #usage: ContentUsage;
  readonly #findings: Findings;
  #depth = 0;
  #font: Dict | undefined;
  #mode = 0;
  readonly #states: { font: Dict | undefined; mode: number }[] = [];

  constructor(unit: ContentUnit, usage: ContentUsage, findings: Findings) {
    this.#unit = unit;
    this.#usage = usage;
    this.#findings = findings;
  }

  run(content: Uint8Array): void {
    for (const operation of readContent(content)) {
      const { operator, operands, start, end } = operation;
      if (!OPERATORS.has(operator))
        this.#findings.add('operators', `a content stream has the unknown operator ${operator.slice(0, 20)}`);
      for (const operand of operands) this.#operand(operand);
      if (operands.some((operand) => operand instanceof PdfString || Array.isArray(operand))) {
        const fault = findMalformedHexString(content, start, end);
        if (fault) this.#findings.add('strings', `a content stream has a hexadecimal string with ${fault}`);
      }
      this.#operation(operation);
    }
  }

  #operation({ operator, operands, image }: Operation): void {
    switch (operator) {
      case 'q':
        this.#states.push({ font: this.#font, mode: this.#mode });
        if (++this.#depth > this.#findings.rules.limits.stateDepth)
          this.#findings.add('limits', 'a content stream nests more than 28 graphics states');
        return;
      case 'Q': {
        this.#depth = Math.max(0, this.#depth - 1);
        const state = this.#states.pop();
        if (state) ({ font: this.#font, mode: this.#mode } = state);
        return;
      }
      case 'ri':
        checkIntent(nameOf(operands[0]) ?? '', this.#findings);
        return;
      case 'Tf':
        this.#font = this.#unit.resources.dict('Font')?.dict(nameOf(operands[0]) ?? '');
        return;
      case 'gs':
        this.#state(this.#unit.resources.dict('ExtGState')?.dict(nameOf(operands[0]) ?? ''));
        return;
      case 'Tr':
        this.#mode = typeof operands[0] === 'number' ? operands[0] : 0;
        return;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (this.#font) this.#show(this.#font, operands.at(-1));
        return;
      case 'BI':
        if (image) this.#image(image.dict);
        return;
      default:
        this.#colour(operator, operands);
    }
  }

  #show(font: Dict, shown: PdfObject | undefined): void {
    const fonts = this.#mode === INVISIBLE_TEXT ? this.#usage.invisibleFonts : this.#usage.fonts;
    const strings = fonts.get(font) ?? new Set();
    fonts.set(font, strings);
    for (const item of Array.isArray(shown) ? shown : [shown])
      if (item instanceof PdfString) strings.add(item.key);
  }

  #state(state: Dict | undefined): void {
    const [font] = state?.array('Font') ?? [];
    if (font !== undefined) this.#font = asDict(font);
  }

  #colour(operator: string, operands: readonly PdfObject[]): void {
    if (operator === 'g' || operator === 'G') this.#device('DeviceGray');
    if (operator === 'rg' || operator === 'RG') this.#device('DeviceRGB');
    if (operator === 'k' || operator === 'K') this.#device('DeviceCMYK');
    if (operator === 'cs' || operator === 'CS') this.#device(nameOf(operands[0]) ?? '');
  }

  #device(space: string): void {
    if (space === 'DeviceGray' || space === 'G') this.#usage.devices.add('DeviceGray');
    if (space === 'DeviceRGB' || space === 'RGB') this.#usage.devices.add('DeviceRGB');
    if (space === 'DeviceCMYK' || space === 'CMYK') this.#usage.cmyk.add(this.#unit.resources);
  }

  #image(dict: Dict): void {
    const filter = dict.get('F') ?? dict.get('Filter');
    const filters = (Array.isArray(filter) ? filter : [filter]).map((item) => nameOf(item) ?? '');
    if (filters.some((item) => item === 'LZW' || item === 'LZWDecode'))
      this.#findings.add('inlineFilters', 'an inline image is compressed with LZW');
    if ((dict.get('I') ?? dict.get('Interpolate')) === true)
      this.#findings.add('images', 'an inline image requests interpolation');
    const space = dict.get('CS') ?? dict.get('ColorSpace');
    this.#device(nameOf(Array.isArray(space) ? space.at(1) : space) ?? '');
  }

  #operand(object: PdfObject): void {
    const { limits } = this.#findings.rules;
    const add = (message: string) => {
      this.#findings.add('limits', message);
    };
    if (typeof object === 'number') {
      if (Number.isInteger(object) ? Math.abs(object) > limits.integer : Math.abs(object) > limits.real)
        add('a content stream has a number outside the permitted range');
    } else if (object instanceof Name && object.value.length > limits.nameBytes)
      add('a content stream has a name of more than 127 bytes');
    else if (object instanceof PdfString && object.bytes.length > limits.stringBytes)
      add(`a content stream has a string of more than ${limits.stringBytes.toLocaleString('en')} bytes`);
    else if (Array.isArray(object)) {
      if (object.length > limits.arrayItems) add('a content stream has an array of more than 8,191 elements');
      for (const item of object) this.#operand(item);
    } else if (object instanceof Dict) for (const value of object.map.values()) this.#operand(value);
  }
}
