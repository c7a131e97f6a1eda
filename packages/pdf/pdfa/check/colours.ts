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
import { archivableComponents, readProfileHeader } from '../colour/icc.ts';
import { LIMITS } from '../limits/limits.ts';
import type { Drawn } from './content.ts';
import type { Checked, Findings } from './report.ts';

/** Checks the output intent, and that it covers the device colours that are used (6.2.2, 6.2.3). */
export function checkColours({ document, graph, findings }: Checked, drawn: Drawn): void {
  const output = readOutputSpace(document, findings);
  const check = new SpaceCheck(document, drawn, findings);
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
  for (const annotation of check.drawn.devices)
    if (annotation === 'DeviceRGB')
      findings.expect(
        output === 'RGB ',
        '6.2.3.3',
        'has colours of a device in RGB that no output intent covers',
      );
    else
      findings.expect(
        output !== undefined,
        '6.2.3.3',
        'has shades of grey of a device that no output intent covers',
      );
  for (const resources of drawn.cmyk)
    findings.expect(
      output === 'CMYK' || resources.dict('ColorSpace')?.map.has('DefaultCMYK') === true,
      '6.2.3.3',
      'has colours of a device in CMYK that no output intent and no default colour space covers',
    );
  // What no operator coloured is black, in shades of grey.
  findings.expect(output !== undefined, '6.2.3.3', 'has no output intent of PDF/A-1 with a profile');
}

/** The colours of the profile of the output intent. */
function readOutputSpace(document: PdfDocument, findings: Findings): string | undefined {
  let profile: PdfStream | undefined;
  let space: string | undefined;
  for (const intent of document.catalog.array('OutputIntents') ?? []) {
    const dict = asDict(intent);
    const own = dict?.get('DestOutputProfile');
    if (!(own instanceof PdfStream)) continue;
    if (profile && own !== profile) findings.add('6.2.2', 'has output intents with different profiles');
    profile = own;
    if (dict?.name('S') !== 'GTS_PDFA1') continue;
    const data = decodeStream(own, document.budget);
    const header = data && readProfileHeader(data);
    const allowed =
      header !== undefined &&
      header.version < 3 &&
      ['prtr', 'mntr'].includes(header.deviceClass) &&
      ['RGB ', 'CMYK', 'GRAY'].includes(header.space);
    if (allowed) ({ space } = header);
    else findings.add('6.2.2', 'has an output intent with a profile that PDF/A-1 does not allow');
  }
  return space;
}

class SpaceCheck {
  readonly drawn: Drawn;
  readonly #document: PdfDocument;
  readonly #findings: Findings;
  readonly #seen = new Set<PdfObject[]>();

  constructor(document: PdfDocument, drawn: Drawn, findings: Findings) {
    this.#document = document;
    this.drawn = drawn;
    this.#findings = findings;
  }

  space(space: PdfObject, resources: Dict): void {
    const value = resolve(space) ?? null;
    if (value instanceof Name) {
      if (value.value === 'DeviceGray' || value.value === 'DeviceRGB') this.drawn.devices.add(value.value);
      if (value.value === 'DeviceCMYK') this.drawn.cmyk.add(resources);
      return;
    }
    if (!Array.isArray(value)) return;
    // The same space may stand where there is a default colour space, and where there is none.
    const [family, second, third] = value;
    const named = resolve(family);
    const kind = named instanceof Name ? named.value : '';
    if (kind === 'Indexed' || kind === 'Pattern') this.space(second ?? null, resources);
    if (kind === 'Separation' || kind === 'DeviceN') this.space(third ?? null, resources);
    if (/^Device(?:Gray|RGB|CMYK)$/.test(kind)) this.space(named ?? null, resources);
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    const colorants = resolve(second);
    if (kind === 'DeviceN' && Array.isArray(colorants) && colorants.length > LIMITS.deviceNColorants)
      this.#findings.add('6.1.12', 'has colours made of more than 8 inks');
    if (kind === 'ICCBased') this.#profile(second);
  }

  #profile(object: PdfObject | undefined): void {
    const stream = resolve(object);
    const data = stream instanceof PdfStream ? decodeStream(stream, this.#document.budget) : undefined;
    const header = data && readProfileHeader(data);
    const components = header && archivableComponents(header);
    this.#findings.expect(
      components !== undefined,
      '6.2.3.2',
      'has a colour profile that PDF/A-1 does not allow',
    );
    this.#findings.expect(
      components === undefined || (stream instanceof PdfStream && stream.dict.number('N') === components),
      '6.2.3.2',
      'has a colour profile with another number of components than it says',
    );
  }
}
