import {
  asDict,
  decodeStream,
  Dict,
  Name,
  PdfStream,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { allowedComponents, readProfileHeader } from '../colour/icc.ts';
import { Separations, undefinedColorants } from '../colour/separations.ts';
import type { ContentUsage } from './content.ts';
import type { CheckContext, Findings } from './findings.ts';

/** Checks colour spaces and output intents, and that an output intent covers the device colour spaces in use (6.2.2, 6.2.3). */
export function checkColours({ document, graph, findings }: CheckContext, usage: ContentUsage): void {
  const output = readOutputSpace(document, findings);
  const check = new SpaceCheck(document, usage, findings);
  for (const resources of graph.resources) {
    for (const space of resources.dict('ColorSpace')?.map.values() ?? []) check.space(space, resources);
    for (const category of ['XObject', 'Shading', 'Pattern']) {
      for (const object of resources.dict(category)?.map.values() ?? []) {
        const dict = asDict(object);
        const owner = dict?.dict('Shading') ?? dict;
        if (owner?.map.has('ColorSpace')) check.space(owner.raw('ColorSpace') ?? null, resources);
      }
    }
  }
  for (const space of check.usage.devices)
    if (space === 'DeviceRGB')
      findings.expect(output === 'RGB ', 'deviceColours', 'DeviceRGB is used without an RGB output intent');
    else
      findings.expect(output !== undefined, 'deviceColours', 'DeviceGray is used without an output intent');
  for (const resources of usage.cmyk)
    findings.expect(
      output === 'CMYK' || resources.dict('ColorSpace')?.map.has('DefaultCMYK') === true,
      'deviceColours',
      'DeviceCMYK is used without a CMYK output intent or a DefaultCMYK colour space',
    );
  // The initial colour is black in DeviceGray, so every document needs an output intent.
  findings.expect(
    output !== undefined,
    'deviceColours',
    'the document has no GTS_PDFA1 output intent with an ICC profile',
  );
}

/** Checks the output intents. Returns the colour space of the profile of the PDF/A output intent; `undefined` if none is allowed. */
function readOutputSpace(document: PdfDocument, findings: Findings): string | undefined {
  let profile: PdfStream | undefined;
  let space: string | undefined;
  for (const intent of document.catalog.array('OutputIntents') ?? []) {
    const dict = asDict(intent);
    const output = dict?.get('DestOutputProfile');
    if (!(output instanceof PdfStream)) continue;
    if (profile && output !== profile)
      findings.add('outputIntents', 'the output intents have different ICC profiles');
    profile = output;
    if (dict?.name('S') !== 'GTS_PDFA1') continue;
    const data = decodeStream(output, document.budget);
    const header = data && readProfileHeader(data);
    const allowed =
      header !== undefined &&
      header.version <= findings.rules.profileVersion &&
      ['prtr', 'mntr'].includes(header.deviceClass) &&
      ['RGB ', 'CMYK', 'GRAY'].includes(header.space);
    if (allowed) ({ space } = header);
    else findings.add('outputIntents', 'the ICC profile of an output intent is not allowed');
  }
  return space;
}

/** Checks colour spaces, and notes the device colour spaces that they are based on. */
class SpaceCheck {
  readonly usage: ContentUsage;
  readonly #document: PdfDocument;
  readonly #findings: Findings;
  readonly #seen = new Set<PdfObject[]>();
  readonly #separations = new Separations();

  constructor(document: PdfDocument, usage: ContentUsage, findings: Findings) {
    this.#document = document;
    this.usage = usage;
    this.#findings = findings;
  }

  space(space: PdfObject, resources: Dict): void {
    const value = resolve(space) ?? null;
    if (value instanceof Name) {
      if (value.value === 'DeviceGray' || value.value === 'DeviceRGB') this.usage.devices.add(value.value);
      if (value.value === 'DeviceCMYK') this.usage.cmyk.add(resources);
      return;
    }
    if (!Array.isArray(value)) return;
    // Check the base spaces for each resource dictionary, because DefaultCMYK can be missing in some of them.
    const [family, second, third] = value;
    const named = resolve(family);
    const kind = named instanceof Name ? named.value : '';
    if (kind === 'Indexed' || kind === 'Pattern') this.space(second ?? null, resources);
    if (kind === 'Separation' || kind === 'DeviceN') this.space(third ?? null, resources);
    if (/^Device(?:Gray|RGB|CMYK)$/.test(kind)) this.space(named ?? null, resources);
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    const colorants = resolve(second);
    const { deviceNColorants } = this.#findings.rules.limits;
    if (kind === 'DeviceN' && Array.isArray(colorants) && colorants.length > deviceNColorants)
      this.#findings.add('limits', `a DeviceN colour space has more than ${deviceNColorants} colorants`);
    if (this.#findings.rules.part > 1) this.#spots(kind, value, resources);
    if (kind === 'ICCBased') this.#profile(second);
  }

  /** Checks that the spot colours of a DeviceN space are defined, and that each spot colour has one definition (ISO 19005-2 6.2.4.4). */
  #spots(kind: string, space: readonly PdfObject[], resources: Dict): void {
    if (kind === 'Separation') {
      this.#findings.expect(
        this.#separations.isConsistent(space),
        'spotColours',
        'a spot colour has different definitions',
      );
      return;
    }
    if (kind !== 'DeviceN') return;
    const colorants = asDict(space[4])?.dict('Colorants');
    for (const spot of undefinedColorants(space))
      this.#findings.add(
        'spotColours',
        `a DeviceN colour space does not define its spot colour ${spot.slice(0, 60)}`,
      );
    for (const colorant of colorants?.map.values() ?? []) this.space(colorant, resources);
  }

  #profile(object: PdfObject | undefined): void {
    const stream = resolve(object);
    const data = stream instanceof PdfStream ? decodeStream(stream, this.#document.budget) : undefined;
    const header = data && readProfileHeader(data);
    const components = header && allowedComponents(header, this.#findings.rules.profileVersion);
    this.#findings.expect(components !== undefined, 'profiles', 'an ICC profile is not allowed');
    this.#findings.expect(
      components === undefined || (stream instanceof PdfStream && stream.dict.number('N') === components),
      'profiles',
      'the entry N of an ICC profile differs from its number of components',
    );
  }
}
