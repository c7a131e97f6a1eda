import { PdfStream, resolve, type Dict, type PdfObject } from '@platen/pdf/objects';
import { nameOf } from '../content/graph.ts';

/** A device colour space. */
export type DeviceSpace = 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK';

/** A part of the graphics state that content passes to the forms, patterns and glyphs that it draws. */
type Passed = 'initial colour' | 'ICC-based CMYK' | 'overprint';

/** The colours and the overprint of all content. */
export interface PaintUsage {
  /**
   * The device colour spaces in use, and the resources of the content that uses each. They may define a
   * default space.
   */
  devices: Map<DeviceSpace, Set<Dict>>;
  /** The names of the colour spaces in use, by the resources that define them. */
  spaces: Map<Dict, Set<string>>;
  /** What some content passes on, and what other content paints with without having set it. */
  passed: Set<Passed>;
  inherited: Set<Passed>;
  /** Whether content overprints in an ICC-based CMYK space in the overprint mode 1 (ISO 19005-2 6.2.4.2). */
  overprints: boolean;
}

const ABBREVIATED: Readonly<Record<string, DeviceSpace>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
};
/** The space that an operator sets, and whether it is that of fills. */
const SETTERS: Readonly<Record<string, readonly [DeviceSpace, 'fill' | 'stroke']>> = {
  g: ['DeviceGray', 'fill'],
  G: ['DeviceGray', 'stroke'],
  rg: ['DeviceRGB', 'fill'],
  RG: ['DeviceRGB', 'stroke'],
  k: ['DeviceCMYK', 'fill'],
  K: ['DeviceCMYK', 'stroke'],
};
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);

/** The colour space of fills or strokes. */
type Colour = 'initial' | 'inherited' | 'ICC-based CMYK' | 'other';

interface PaintState {
  fill: Colour;
  stroke: Colour;
  /**
   * Whether fills and strokes overprint, and whether the overprint mode is 1. `undefined` if the state is
   * that of the surrounding content.
   */
  fillOverprint: boolean | undefined;
  strokeOverprint: boolean | undefined;
  isMode1: boolean | undefined;
}

/** Creates the usage of no content. */
export function noPaint(): PaintUsage {
  return {
    devices: new Map(),
    spaces: new Map(),
    passed: new Set(),
    inherited: new Set(),
    overprints: false,
  };
}

/** Follows the colours and the overprint of one content stream. */
export class Paint {
  readonly #resources: Dict;
  readonly #usage: PaintUsage;
  #state: PaintState;
  readonly #states: PaintState[] = [];

  constructor(resources: Dict, kind: 'page' | 'inner', usage: PaintUsage) {
    this.#resources = resources;
    this.#usage = usage;
    const colour = kind === 'page' ? 'initial' : 'inherited';
    const overprint = kind === 'page' ? false : undefined;
    this.#state = {
      fill: colour,
      stroke: colour,
      fillOverprint: overprint,
      strokeOverprint: overprint,
      isMode1: overprint,
    };
  }

  /** Follows an operation other than one that shows text or an inline image. */
  operate(operator: string, operands: readonly PdfObject[]): void {
    const setter = SETTERS[operator];
    if (setter) this.#set(setter[1], setter[0]);
    else if (operator === 'cs' || operator === 'CS')
      this.#set(operator === 'cs' ? 'fill' : 'stroke', nameOf(operands[0]) ?? '');
    else if (operator === 'q') this.#states.push({ ...this.#state });
    else if (operator === 'Q') this.#state = this.#states.pop() ?? this.#state;
    else if (operator === 'gs')
      this.#overprint(this.#resources.dict('ExtGState')?.dict(nameOf(operands[0]) ?? ''));
    else if (operator === 'Do') this.#draw(this.#resources.dict('XObject')?.get(nameOf(operands[0]) ?? ''));
    else if (operator === 'scn' || operator === 'SCN') this.#pass();
    if (FILLING.has(operator)) this.#paint('fill');
    if (STROKING.has(operator)) this.#paint('stroke');
  }

  /** Follows text that is shown in a rendering mode. The glyphs of Type 3 fonts are content of their own. */
  show(mode: number, isType3: boolean): void {
    if (isType3) this.#pass();
    if (mode % 4 === 0 || mode % 4 === 2) this.#paint('fill');
    if (mode % 4 === 1 || mode % 4 === 2) this.#paint('stroke');
  }

  /** Follows an inline image, and names its colour space. */
  inlineImage(space: PdfObject | undefined, isMask: boolean): void {
    if (isMask) {
      this.#paint('fill');
      return;
    }
    const value = resolve(space);
    const used = nameOf(Array.isArray(value) ? value[1] : value) ?? '';
    this.#use(ABBREVIATED[used] ?? used);
  }

  #set(target: 'fill' | 'stroke', space: string): void {
    this.#use(space);
    this.#state[target] = this.#isIccCmyk(space) ? 'ICC-based CMYK' : 'other';
  }

  #use(space: string): void {
    if (space === 'DeviceGray' || space === 'DeviceRGB' || space === 'DeviceCMYK')
      addTo(this.#usage.devices, space, this.#resources);
    else addTo(this.#usage.spaces, this.#resources, space);
  }

  #isIccCmyk(name: string): boolean {
    const key = name === 'DeviceCMYK' ? 'DefaultCMYK' : name;
    const space = this.#resources.dict('ColorSpace')?.get(key);
    const profile = Array.isArray(space) && nameOf(space[0]) === 'ICCBased' ? resolve(space[1]) : undefined;
    return profile instanceof PdfStream && profile.dict.number('N') === 4;
  }

  #overprint(state: Dict | undefined): void {
    const stroke = state?.get('OP');
    const fill = state?.get('op') ?? stroke;
    if (typeof stroke === 'boolean') this.#state.strokeOverprint = stroke;
    if (typeof fill === 'boolean') this.#state.fillOverprint = fill;
    if (state?.map.has('OPM')) this.#state.isMode1 = state.number('OPM') !== 0;
  }

  #draw(object: PdfObject | undefined): void {
    if (!(object instanceof PdfStream)) return;
    if (object.dict.name('Subtype') !== 'Image') this.#pass();
    else if (object.dict.get('ImageMask') === true) this.#paint('fill');
  }

  #pass(): void {
    const { fill, stroke, fillOverprint, strokeOverprint, isMode1 } = this.#state;
    const { passed } = this.#usage;
    if (fill === 'initial' || stroke === 'initial') passed.add('initial colour');
    if (fill === 'ICC-based CMYK' || stroke === 'ICC-based CMYK') passed.add('ICC-based CMYK');
    if (fillOverprint === true || strokeOverprint === true || isMode1 === true) passed.add('overprint');
  }

  #paint(target: 'fill' | 'stroke'): void {
    const colour = this.#state[target];
    const { inherited } = this.#usage;
    if (colour === 'initial') this.#use('DeviceGray');
    if (colour === 'inherited') inherited.add('initial colour');
    if (colour !== 'ICC-based CMYK' && colour !== 'inherited') return;
    const overprint = this.#state[target === 'fill' ? 'fillOverprint' : 'strokeOverprint'];
    const { isMode1 } = this.#state;
    if (overprint === false || isMode1 === false) return;
    if (colour === 'inherited') inherited.add('ICC-based CMYK');
    else if (overprint === true && isMode1 === true) this.#usage.overprints = true;
    else inherited.add('overprint');
  }
}

function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}
