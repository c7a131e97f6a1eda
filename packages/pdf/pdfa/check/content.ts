import { Dict, Name, PdfString, readContent, type Operation, type PdfObject } from '../../objects/index.ts';
import { nameOf, type ContentUnit } from '../content/graph.ts';
import { OPERATORS } from '../content/operators.ts';
import { LIMITS } from '../limits/limits.ts';
import { checkIntent } from './graphics.ts';
import type { Checked, Findings } from './report.ts';
import { findOddString } from './strings.ts';

const INVISIBLE_TEXT = 3;

/** What the content of a document draws with. */
export interface Drawn {
  /** Device colours that operators set, with the resources where default colour spaces would be. */
  devices: Set<'DeviceGray' | 'DeviceRGB'>;
  cmyk: Set<Dict>;
  /** Fonts that text is shown in, so that it can be seen, with the strings as Latin-1 characters. */
  fonts: Map<Dict, Set<string>>;
}

/** Checks the operations of all content (6.1.6, 6.1.10, 6.1.12, 6.2.9, 6.2.10). */
export function checkContent({ graph, findings }: Checked): Drawn {
  const drawn: Drawn = { devices: new Set(), cmyk: new Set(), fonts: new Map() };
  for (const unit of graph.units) {
    const content = unit.read();
    if (content) new ContentCheck(unit, drawn, findings).run(content);
  }
  return drawn;
}

class ContentCheck {
  readonly #unit: ContentUnit;
  readonly #drawn: Drawn;
  readonly #findings: Findings;
  #depth = 0;
  #font: Dict | undefined;
  #mode = 0;
  readonly #states: { font: Dict | undefined; mode: number }[] = [];

  constructor(unit: ContentUnit, drawn: Drawn, findings: Findings) {
    this.#unit = unit;
    this.#drawn = drawn;
    this.#findings = findings;
  }

  run(content: Uint8Array): void {
    for (const operation of readContent(content)) {
      const { operator, operands, start, end } = operation;
      if (!OPERATORS.has(operator))
        this.#findings.add('6.2.10', `has content with an unknown operator (${operator.slice(0, 20)})`);
      for (const operand of operands) this.#operand(operand);
      if (operands.some((operand) => operand instanceof PdfString || Array.isArray(operand))) {
        const odd = findOddString(content, start, end);
        if (odd) this.#findings.add('6.1.6', `has a hexadecimal string with ${odd} in its content`);
      }
      this.#operation(operation);
    }
  }

  #operation({ operator, operands, image }: Operation): void {
    switch (operator) {
      case 'q':
        this.#states.push({ font: this.#font, mode: this.#mode });
        if (++this.#depth > LIMITS.stateDepth)
          this.#findings.add('6.1.12', 'has graphics states nested deeper than 28 levels');
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
        if (this.#font && this.#mode !== INVISIBLE_TEXT) this.#show(this.#font, operands.at(-1));
        return;
      case 'BI':
        if (image) this.#image(image.dict);
        return;
      default:
        this.#colour(operator, operands);
    }
  }

  #show(font: Dict, shown: PdfObject | undefined): void {
    const { fonts } = this.#drawn;
    const strings = fonts.get(font) ?? new Set();
    fonts.set(font, strings);
    for (const item of Array.isArray(shown) ? shown : [shown])
      if (item instanceof PdfString) strings.add(item.key);
  }

  #state(state: Dict | undefined): void {
    const [font] = state?.array('Font') ?? [];
    if (font !== undefined) this.#font = state?.array('Font') && fontOf(font);
  }

  #colour(operator: string, operands: readonly PdfObject[]): void {
    if (operator === 'g' || operator === 'G') this.#device('DeviceGray');
    if (operator === 'rg' || operator === 'RG') this.#device('DeviceRGB');
    if (operator === 'k' || operator === 'K') this.#device('DeviceCMYK');
    if (operator === 'cs' || operator === 'CS') this.#device(nameOf(operands[0]) ?? '');
  }

  #device(space: string): void {
    if (space === 'DeviceGray' || space === 'G') this.#drawn.devices.add('DeviceGray');
    if (space === 'DeviceRGB' || space === 'RGB') this.#drawn.devices.add('DeviceRGB');
    if (space === 'DeviceCMYK' || space === 'CMYK') this.#drawn.cmyk.add(this.#unit.resources);
  }

  #image(dict: Dict): void {
    const filter = dict.get('F') ?? dict.get('Filter');
    const filters = (Array.isArray(filter) ? filter : [filter]).map((one) => nameOf(one) ?? '');
    if (filters.some((one) => one === 'LZW' || one === 'LZWDecode'))
      this.#findings.add('6.1.10', 'has an image in its content packed with LZW');
    if ((dict.get('I') ?? dict.get('Interpolate')) === true)
      this.#findings.add('6.2.4', 'has an image in its content that is to be interpolated');
    const space = dict.get('CS') ?? dict.get('ColorSpace');
    this.#device(nameOf(Array.isArray(space) ? space.at(1) : space) ?? '');
  }

  #operand(object: PdfObject): void {
    const add = (message: string) => {
      this.#findings.add('6.1.12', message);
    };
    if (typeof object === 'number') {
      if (Number.isInteger(object) ? Math.abs(object) > LIMITS.integer : Math.abs(object) > LIMITS.real)
        add('has a number in its content that is too large');
    } else if (object instanceof Name && object.value.length > LIMITS.nameBytes)
      add('has a name of more than 127 bytes in its content');
    else if (object instanceof PdfString && object.bytes.length > LIMITS.stringBytes)
      add('has a string of more than 65,535 bytes in its content');
    else if (Array.isArray(object)) {
      if (object.length > LIMITS.arrayItems) add('has an array of more than 8,191 items in its content');
      for (const item of object) this.#operand(item);
    } else if (object instanceof Dict) for (const value of object.map.values()) this.#operand(value);
  }
}

function fontOf(object: PdfObject): Dict | undefined {
  return Dict.of({ font: object }).dict('font');
}
