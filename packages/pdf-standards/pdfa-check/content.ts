import {
  asDict,
  Dict,
  Name,
  PdfString,
  readContent,
  type Operation,
  type PdfObject,
} from '@platen/pdf/objects';
import { nameOf, type ContentUnit } from '../content/graph.ts';
import { inheritedNames } from '../content/inherited-resources.ts';
import { OPERATORS } from '../content/operators.ts';
import { checkIntent } from './graphics.ts';
import { isAllowedNumber } from './objects.ts';
import { noPaint, Paint, type PaintUsage } from './paint.ts';
import type { CheckContext, Findings } from './findings.ts';
import { findMalformedHexString } from './hex-strings.ts';

const INVISIBLE_TEXT = 3;
/** The filters of inline images (ISO 32000-1, table 94) without LZW. */
const INLINE_FILTERS = new Set(
  'ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode AHx A85 Fl RL CCF DCT'.split(
    ' ',
  ),
);

/** The colour spaces and fonts that content uses. */
export interface ContentUsage {
  paint: PaintUsage;
  /** The fonts of visible text, and the strings that each shows. Each byte is a Latin-1 character. */
  fonts: Map<Dict, Set<string>>;
  /** The fonts of invisible text, such as the recognised text of a scan, and the strings that each shows. */
  invisibleFonts: Map<Dict, Set<string>>;
}

/**
 * Checks the operators and operands of all content streams (6.1.6, 6.1.10, 6.1.12, 6.2.9, 6.2.10). Returns
 * the colour spaces and fonts in use.
 */
export function checkContent({ graph, findings }: CheckContext): ContentUsage {
  const usage: ContentUsage = {
    paint: noPaint(),
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
  readonly #paint: Paint;

  constructor(unit: ContentUnit, usage: ContentUsage, findings: Findings) {
    this.#unit = unit;
    this.#usage = usage;
    this.#findings = findings;
    this.#paint = new Paint(unit.resources, unit.kind === 'page' ? 'page' : 'inner', usage.paint);
  }

  run(content: Uint8Array): void {
    for (const operation of readContent(content)) {
      const { operator, operands, end } = operation;
      if (!OPERATORS.has(operator))
        this.#findings.add('operators', `a content stream has the unknown operator ${operator.slice(0, 20)}`);
      // Some readers treat a comment as part of the preceding token.
      this.#findings.expect(content[end] !== 37, 'operators', 'a comment directly follows an operator');
      for (const operand of operands) this.#operand(operand);
      this.#strings(operation, content);
      this.#operation(operation);
      this.#paint.operate(operator, operands);
    }
  }

  #strings({ operands, image, start, end }: Operation, content: Uint8Array): void {
    const isStructured = operands.some(
      (operand) => operand instanceof PdfString || operand instanceof Dict || Array.isArray(operand),
    );
    if (!isStructured && !image) return;
    const dataEnd = image && image.data.byteOffset - content.byteOffset;
    const fault = findMalformedHexString(content, start, dataEnd ?? end);
    if (fault) this.#findings.add('strings', `a content stream has a hexadecimal string with ${fault}`);
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
    }
  }

  #show(font: Dict, shown: PdfObject | undefined): void {
    const fonts = this.#mode === INVISIBLE_TEXT ? this.#usage.invisibleFonts : this.#usage.fonts;
    const strings = fonts.get(font) ?? new Set();
    fonts.set(font, strings);
    this.#paint.show(this.#mode, font.name('Subtype') === 'Type3');
    for (const item of Array.isArray(shown) ? shown : [shown])
      if (item instanceof PdfString) strings.add(item.key);
  }

  #state(state: Dict | undefined): void {
    const [font] = state?.array('Font') ?? [];
    if (font !== undefined) this.#font = asDict(font);
  }

  #image(dict: Dict): void {
    const filter = dict.get('F') ?? dict.get('Filter');
    const filters = (Array.isArray(filter) ? filter : [filter]).map((item) => nameOf(item) ?? '');
    if (filters.some((item) => item === 'LZW' || item === 'LZWDecode'))
      this.#findings.add('inlineFilters', 'an inline image is compressed with LZW');
    if (this.#findings.rules.part > 1 && filters.some((item) => item !== '' && !INLINE_FILTERS.has(item)))
      this.#findings.add('inlineFilters', 'an inline image has a filter that is not allowed');
    if ((dict.get('I') ?? dict.get('Interpolate')) === true)
      this.#findings.add('images', 'an inline image requests interpolation');
    checkIntent(dict.name('Intent'), this.#findings);
    const isMask = (dict.get('IM') ?? dict.get('ImageMask')) === true;
    const bits = dict.number('BPC') ?? dict.number('BitsPerComponent');
    this.#findings.expect(
      bits === undefined || (isMask ? bits === 1 : this.#findings.rules.imageBits.has(bits)),
      'images',
      'an inline image has a BitsPerComponent value that is not allowed',
    );
    this.#paint.inlineImage(dict.raw('CS') ?? dict.raw('ColorSpace'), isMask);
  }

  #operand(object: PdfObject): void {
    const { limits } = this.#findings.rules;
    const add = (message: string) => {
      this.#findings.add('limits', message);
    };
    if (typeof object === 'number') {
      if (!isAllowedNumber(object, this.#findings.rules))
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
