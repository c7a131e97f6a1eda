import { deflateSync } from 'node:zlib';
import {
  decodeStream,
  name,
  Name,
  PdfStream,
  Ref,
  resolve,
  type Dict,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { LIMITS } from '../limits/limits.ts';
import type { Violation } from '../violation.ts';
import { allowedComponents, downgradeProfile, readProfileHeader } from './icc.ts';

const DEVICE_SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };
const MAX_NESTING = 8;

/** Converts colour spaces to conform to ISO 19005-1 6.2.3: ICC profiles of version 2 with a correct number of components. */
export class ColourSpaceConverter {
  /** Whether any converted space is or is based on `DeviceCMYK`. */
  cmyk = false;
  readonly violations: Violation[] = [];
  readonly #document: PdfDocument;
  readonly #converted = new Map<PdfObject, PdfObject>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Converts the colour space in an entry, if there is one. */
  convertEntry(dict: Dict, key: string): void {
    const space = dict.raw(key);
    if (space !== undefined) dict.set(key, this.convert(space));
  }

  /** Returns the colour space itself, changed in place if needed, or a replacement. */
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
        return space;
      case 'DeviceN':
        // Drop the attributes dictionary, which may contain further colour spaces.
        value.length = Math.min(value.length, 4);
        value[2] = this.convert(value[2] ?? null, depth + 1);
        this.#countColorants(value);
        return space;
      default:
        return space;
    }
  }

  #cmyk(): PdfObject {
    this.cmyk = true;
    return name('DeviceCMYK');
  }

  #countColorants(space: readonly PdfObject[]): void {
    const colorants = resolve(space[1]);
    if (Array.isArray(colorants) && colorants.length > LIMITS.deviceNColorants)
      this.violations.push({
        clause: '6.1.12',
        message: `a DeviceN colour space has ${colorants.length} colorants, but at most ${LIMITS.deviceNColorants} are allowed`,
      });
  }

  #iccBased(space: PdfObject, value: readonly PdfObject[], depth: number): PdfObject {
    const stream = resolve(value[1]);
    if (!(stream instanceof PdfStream)) return name('DeviceRGB');
    const { dict } = stream;
    const declared = dict.number('N');
    const profile = decodeStream(stream, this.#document.budget);
    const header = profile && readProfileHeader(profile);
    const components = header && allowedComponents(header);
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

function matches(profile: Uint8Array, components: number): boolean {
  const header = readProfileHeader(profile);
  return header !== undefined && allowedComponents(header) === components;
}
