import {
  asDict,
  decodeStream,
  Dict,
  Name,
  PdfStream,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { allowedComponents, readProfileHeader } from '../colour/icc.ts';
import { Separations, undefinedColorants } from '../colour/separations.ts';
import { isInDeviceCmyk } from '../content/jpeg2000.ts';
import type { ContentUsage } from './content.ts';
import type { DeviceSpace, PaintUsage } from './paint.ts';
import type { CheckContext, Findings } from './findings.ts';

/**
 * Checks colour spaces and output intents, and that an output intent or a default space covers the device
 * colour spaces in use (6.2.2, 6.2.3).
 */
export function checkColours(context: CheckContext, { paint }: ContentUsage): void {
  const { document, graph, findings, pages } = context;
  const output = readOutputSpace(document, findings);
  const check = new SpaceCheck(document, paint.devices, findings);
  for (const resources of graph.resources) {
    const used = paint.spaces.get(resources);
    for (const [key, space] of resources.dict('ColorSpace')?.map ?? [])
      check.space(space, resources, used?.has(key) === true);
    for (const category of ['XObject', 'Shading', 'Pattern'])
      for (const object of resources.dict(category)?.map.values() ?? []) {
        const image = resolve(object);
        if (image instanceof PdfStream && findings.rules.jpeg2000 && isInDeviceCmyk(image, document.budget))
          use(paint.devices, 'DeviceCMYK', resources);
        const dict = asDict(object);
        const owner = dict?.dict('Shading') ?? dict;
        if (owner?.map.has('ColorSpace')) check.space(owner.raw('ColorSpace') ?? null, resources, true);
      }
  }
  checkInherited(context, paint);
  for (const [space, users] of paint.devices)
    for (const resources of users)
      findings.expect(
        covers(output, space) || hasDefault(resources, space),
        'deviceColours',
        `${space} is used without an output intent for it or a default colour space`,
      );
  checkTransparency(context, output);
  if (findings.rules.part > 1) return;
  const coloured = pages.flatMap((page) => page.array('Annots') ?? []).map(asDict);
  findings.expect(
    output === 'RGB ' || coloured.every((dict) => !dict?.map.has('C') && !dict?.map.has('IC')),
    'annotations',
    'an annotation has a colour, and the document has no RGB output intent',
  );
}

/** Tells whether an output intent for a space defines the colours of a device space. */
function covers(output: string | undefined, space: DeviceSpace): boolean {
  if (space === 'DeviceGray') return output !== undefined;
  return output === (space === 'DeviceRGB' ? 'RGB ' : 'CMYK');
}

/** Tells whether resources define a colour space in place of a device space (ISO 32000-1 8.6.5.6). */
function hasDefault(resources: Dict, space: DeviceSpace): boolean {
  return Array.isArray(resources.dict('ColorSpace')?.get(`Default${space.slice('Device'.length)}`));
}

/**
 * Checks painting with colours and overprint of the surrounding content: if any content passes them on, all
 * inner content may get them.
 */
function checkInherited({ pages, graph, findings }: CheckContext, paint: PaintUsage): void {
  const { passed, inherited } = paint;
  const hasAppearances = pages.some((page) =>
    (page.array('Annots') ?? []).some((each) => asDict(each)?.map.has('AP')),
  );
  if (inherited.has('initial colour') && (passed.has('initial colour') || hasAppearances))
    for (const page of pages) use(paint.devices, 'DeviceGray', page.dict('Resources') ?? new Dict());
  const overprints =
    paint.overprints ||
    ([...graph.states].some(overprintsInMode1) &&
      (['ICC-based CMYK', 'overprint'] as const).some((part) => passed.has(part) && inherited.has(part)));
  findings.expect(
    findings.rules.part === 1 || !overprints,
    'profiles',
    'content overprints in an ICC-based CMYK colour space in the overprint mode 1',
  );
}

function overprintsInMode1(state: Dict): boolean {
  return state.number('OPM') === 1;
}

function use(devices: PaintUsage['devices'], space: DeviceSpace, resources: Dict): void {
  devices.set(space, (devices.get(space) ?? new Set()).add(resources));
}

/** Checks that transparent content has a colour space to be blended in (ISO 19005-2 6.2.10). */
function checkTransparency({ pages, graph, findings }: CheckContext, output: string | undefined): void {
  if (!findings.rules.transparency || output !== undefined) return;
  const isTransparent =
    [...graph.states].some(paintsTransparently) ||
    [...graph.images.keys()].some(
      ({ dict }) => dict.get('SMask') instanceof PdfStream || dict.map.has('SMaskInData'),
    ) ||
    [...graph.forms.keys()].some(({ dict }) => dict.dict('Group')?.name('S') === 'Transparency');
  findings.expect(
    !isTransparent || pages.every((page) => page.dict('Group')?.map.has('CS') === true),
    'transparency',
    'the document is transparent, and has no output intent and no colour space for it on each page',
  );
}

function paintsTransparently(state: Dict): boolean {
  const mode = state.get('BM');
  return (
    state.get('SMask') instanceof Dict ||
    (state.number('ca') ?? 1) < 1 ||
    (state.number('CA') ?? 1) < 1 ||
    (mode !== undefined &&
      !(mode instanceof Name && (mode.value === 'Normal' || mode.value === 'Compatible')))
  );
}

/**
 * Checks the output intents. Returns the colour space of the profile of the PDF/A output intent; `undefined`
 * if none is allowed.
 */
function readOutputSpace(document: PdfDocument, findings: Findings): string | undefined {
  let profile: PdfStream | undefined;
  let space: string | undefined;
  const { profileVersion, part } = findings.rules;
  for (const intent of document.catalog.array('OutputIntents') ?? []) {
    const dict = asDict(intent);
    const kind = dict?.name('S');
    findings.expect(
      part === 1 || kind !== 'GTS_PDFX' || !dict?.map.has('DestOutputProfileRef'),
      'outputIntents',
      'an output intent refers to a profile outside the file',
    );
    const output = dict?.get('DestOutputProfile');
    if (!(output instanceof PdfStream)) continue;
    if (profile && output !== profile)
      findings.add('outputIntents', 'the output intents have different ICC profiles');
    profile = output;
    const data = decodeStream(output, document.budget);
    const header = data && readProfileHeader(data);
    const allowed =
      header !== undefined &&
      header.version <= profileVersion &&
      ['prtr', 'mntr'].includes(header.deviceClass) &&
      ['RGB ', 'CMYK', 'GRAY'].includes(header.space);
    if (!allowed) findings.add('outputIntents', 'the ICC profile of an output intent is not allowed');
    findings.expect(
      part > 1 || !header || output.dict.number('N') === allowedComponents(header, profileVersion),
      'profiles',
      'the entry N of an ICC profile differs from its number of components',
    );
    if (allowed && kind === 'GTS_PDFA1') ({ space } = header);
  }
  return space;
}

/** Checks colour spaces, and notes the device colour spaces that those in use are based on. */
class SpaceCheck {
  readonly #devices: PaintUsage['devices'];
  readonly #document: PdfDocument;
  readonly #findings: Findings;
  readonly #seen = new Set<PdfObject[]>();
  readonly #separations = new Separations();

  constructor(document: PdfDocument, devices: PaintUsage['devices'], findings: Findings) {
    this.#document = document;
    this.#devices = devices;
    this.#findings = findings;
  }

  space(space: PdfObject, resources: Dict, isUsed: boolean): void {
    const value = resolve(space) ?? null;
    if (value instanceof Name) {
      const { value: name } = value;
      if (isUsed && (name === 'DeviceGray' || name === 'DeviceRGB' || name === 'DeviceCMYK'))
        use(this.#devices, name, resources);
      return;
    }
    if (!Array.isArray(value)) return;
    // Check the base spaces for each resource dictionary, because some of them may have no default spaces.
    const [family, second, third] = value;
    const named = resolve(family);
    const kind = named instanceof Name ? named.value : '';
    if (kind === 'Indexed' || kind === 'Pattern') this.space(second ?? null, resources, isUsed);
    if (kind === 'Separation' || kind === 'DeviceN') this.space(third ?? null, resources, isUsed);
    if (/^Device(?:Gray|RGB|CMYK)$/.test(kind)) this.space(named ?? null, resources, isUsed);
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    const colorants = resolve(second);
    const { deviceNColorants } = this.#findings.rules.limits;
    if (kind === 'DeviceN' && Array.isArray(colorants) && colorants.length > deviceNColorants)
      this.#findings.add('limits', `a DeviceN colour space has more than ${deviceNColorants} colorants`);
    if (this.#findings.rules.part > 1) this.#spots(kind, value, resources);
    if (kind === 'ICCBased') this.#profile(second);
  }

  /**
   * Checks that the spot colours of a DeviceN space are defined, and that each spot colour has one definition
   * (ISO 19005-2 6.2.4.4).
   */
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
    for (const colorant of colorants?.map.values() ?? []) this.space(colorant, resources, false);
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
