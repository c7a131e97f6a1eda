import { deflateSync } from 'node:zlib';
import {
  asDict,
  decodeStream,
  Dict,
  name,
  Name,
  PdfStream,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { utf8Name } from '../../limits/limits.ts';
import type { LevelRules } from '../../levels.ts';
import type { Breach } from '../../violation.ts';
import { allowedComponents, downgradeProfile, readProfileHeader } from '../../colour/icc.ts';
import { Separations, undefinedColorants } from '../../colour/separations.ts';

const DEVICE_SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };
const MAX_NESTING = 8;

/**
 * Makes colour spaces conform to ISO 19005-1 6.2.3: their ICC profiles must have an allowed version and a
 * correct number of components.
 */
export class ColourSpaceConverter {
  /** Whether any converted space is `DeviceCMYK` or is based on it. */
  cmyk = false;
  readonly violations: Breach[] = [];
  readonly #document: PdfDocument;
  readonly #rules: LevelRules;
  readonly #separations = new Separations();
  readonly #converted = new Map<PdfObject, PdfObject>();

  constructor(document: PdfDocument, rules: LevelRules) {
    this.#document = document;
    this.#rules = rules;
  }

  /** Converts the colour space in an entry, if there is one. */
  convertEntry(dict: Dict, key: string): void {
    const space = dict.raw(key);
    if (space !== undefined) dict.set(key, this.convert(space));
  }

  /** Changes a colour space in place if needed and returns it, or returns a replacement. */
  convert(space: PdfObject, depth = 0): PdfObject {
    const value = resolve(space) ?? null;
    if (value instanceof Name) {
      if (value.value === 'DeviceCMYK' || value.value === 'CalCMYK') return this.#cmyk();
      return space;
    }
    if (!Array.isArray(value) || depth > MAX_NESTING) return space;
    const known = this.#converted.get(value);
    if (known !== undefined) return known;
    this.#converted.set(value, space);
    const converted = this.#array(space, value, depth);
    this.#converted.set(value, converted);
    return converted;
  }

  #array(space: PdfObject, value: PdfObject[], depth: number): PdfObject {
    const family = resolve(value[0]);
    switch (family instanceof Name ? family.value : '') {
      case 'DeviceCMYK':
      case 'CalCMYK':
        return this.#cmyk();
      case 'ICCBased':
        return this.#iccBased(space, value, depth);
      case 'Indexed':
      case 'I':
      case 'Pattern':
        if (value[1] !== undefined) value[1] = this.convert(value[1], depth + 1);
        return space;
      case 'Separation':
        value[2] = this.convert(value[2] ?? null, depth + 1);
        if (this.#rules.part > 1) {
          value[1] = fitColorant(value[1]);
          this.#separations.makeConsistent(value);
        }
        return space;
      case 'DeviceN':
        value[2] = this.convert(value[2] ?? null, depth + 1);
        this.#countColorants(value);
        if (this.#rules.part > 1) this.#attributes(value, depth);
        // Part 1 needs no attributes, which may contain further colour spaces.
        else value.length = Math.min(value.length, 4);
        return space;
      default:
        return space;
    }
  }

  /**
   * Converts the colour spaces in the attributes of a DeviceN space, which must define its spot colours (ISO
   * 19005-2 6.2.4.4).
   */
  #attributes(space: PdfObject[], depth: number): void {
    const colorantNames = resolve(space[1]);
    if (Array.isArray(colorantNames)) space[1] = colorantNames.map(fitColorant);
    const attributes = asDict(space[4]);
    const process = attributes?.dict('Process');
    if (process) this.convertEntry(process, 'ColorSpace');
    const colorants = attributes?.dict('Colorants');
    for (const [key, colorant] of colorants?.map ?? [])
      colorants?.set(key, this.convert(colorant, depth + 1));
    const missing = undefinedColorants(space);
    if (missing.length === 0) return;
    const defined = colorants ?? new Dict();
    for (const spot of missing) defined.set(spot, this.#definition(spot, space, missing.length));
    space[4] = Ref.to((attributes ?? new Dict()).set('Colorants', defined));
  }

  /**
   * Defines a spot colour: as the only colorant of its space with the tint of the space, and otherwise as a
   * tint of grey. Readers show the colours of the whole space and do not need the definition.
   */
  #definition(spot: string, space: readonly PdfObject[], count: number): PdfObject {
    const only = resolve(space[1]);
    if (count === 1 && Array.isArray(only) && only.length === 1)
      return this.convert([name('Separation'), name(spot), space[2] ?? null, space[3] ?? null]);
    const tint = Dict.of({ FunctionType: 2, Domain: [0, 1], C0: [1], C1: [0], N: 1 });
    return this.convert([name('Separation'), name(spot), name('DeviceGray'), tint]);
  }

  #cmyk(): PdfObject {
    this.cmyk = true;
    return name('DeviceCMYK');
  }

  #countColorants(space: readonly PdfObject[]): void {
    const colorants = resolve(space[1]);
    const { deviceNColorants } = this.#rules.limits;
    if (Array.isArray(colorants) && colorants.length > deviceNColorants)
      this.violations.push({
        rule: 'limits',
        message: `a DeviceN colour space has ${colorants.length} colorants, but at most ${deviceNColorants} are allowed`,
      });
  }

  #iccBased(space: PdfObject, value: readonly PdfObject[], depth: number): PdfObject {
    const stream = resolve(value[1]);
    if (!(stream instanceof PdfStream)) return name('DeviceRGB');
    const { dict } = stream;
    const declared = dict.number('N');
    const profile = decodeStream(stream, this.#document.budget);
    const header = profile && readProfileHeader(profile);
    const components = header && allowedComponents(header, this.#rules.profileVersion);
    if (components !== undefined && (declared === undefined || declared === components)) {
      dict.set('N', components).delete('Alternate');
      return space;
    }
    const downgraded = profile && downgradeProfile(profile);
    if (
      downgraded &&
      value[1] instanceof Ref &&
      (declared === 1 || declared === 3) &&
      matches(downgraded, declared)
    ) {
      const copy = dict.copy().delete('DecodeParms', 'Alternate').set('Filter', name('FlateDecode'));
      value[1].value = new PdfStream(copy, deflateSync(downgraded));
      return space;
    }
    const alternate = dict.raw('Alternate');
    if (alternate !== undefined && header === undefined) return this.convert(alternate, depth + 1);
    return declared === 4 ? this.#cmyk() : name(DEVICE_SPACES[declared ?? 3] ?? 'DeviceRGB');
  }
}

/** Makes the name of a colorant valid UTF-8. */
function fitColorant(colorant: PdfObject | undefined): PdfObject {
  const value = resolve(colorant);
  return value instanceof Name ? name(utf8Name(value.value)) : (colorant ?? null);
}

function matches(profile: Uint8Array, components: number): boolean {
  const header = readProfileHeader(profile);
  return header !== undefined && allowedComponents(header, 2) === components;
}
