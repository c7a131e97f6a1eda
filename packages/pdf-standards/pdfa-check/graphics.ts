import { asDict, Dict, resolve, type PdfStream } from '@platen/pdf/objects';
import { nameOf } from '../content/graph.ts';
import { BLEND_MODES, INTENTS } from '../content/operators.ts';
import { isAllowedJpeg2000, isJpeg2000 } from '../content/jpeg2000.ts';
import type { CheckContext, Findings } from './findings.ts';

const OPAQUE_MODES = new Set(['Normal', 'Compatible']);

/** Checks images, form XObjects, graphics states and groups (6.2.4 to 6.2.9, 6.4). */
export function checkGraphics({ document, pages, graph, findings }: CheckContext): void {
  const { rules } = findings;
  for (const page of pages) checkGroup(page, findings);
  for (const resources of graph.resources)
    for (const key of resources.dict('XObject')?.map.keys() ?? [])
      findings.expect(
        resources.dict('XObject')?.dict(key)?.name('Subtype') !== 'PS',
        'postScript',
        'a PostScript XObject is not allowed',
      );
  for (const image of graph.images.keys()) {
    checkImage(image, findings);
    if (rules.jpeg2000 && isJpeg2000(image))
      findings.expect(
        isAllowedJpeg2000(image, document.budget),
        'jpeg2000',
        'a JPEG 2000 image has channels or colour spaces that are not allowed',
      );
  }
  for (const { dict } of graph.forms.keys()) {
    findings.expect(!dict.map.has('OPI'), 'images', 'a form XObject has an OPI entry');
    findings.expect(
      !dict.map.has('PS') && dict.name('Subtype2') !== 'PS',
      'formXObjects',
      'a form XObject contains PostScript',
    );
    findings.expect(!dict.map.has('Ref'), 'references', 'a form XObject refers to another file');
    checkGroup(dict, findings);
    findings.expect(
      rules.transparency || !dict.map.has('SMask'),
      'transparency',
      'a form XObject has a soft mask',
    );
  }
  for (const state of graph.states) checkState(state, findings);
}

function checkGroup(owner: Dict, findings: Findings): void {
  findings.expect(
    findings.rules.transparency || owner.dict('Group')?.name('S') !== 'Transparency',
    'transparency',
    'a page or form XObject has a transparency group',
  );
}

function checkImage({ dict }: PdfStream, findings: Findings): void {
  findings.expect(!dict.map.has('Alternates'), 'images', 'an image has alternate images');
  findings.expect(!dict.map.has('OPI'), 'images', 'an image has an OPI entry');
  findings.expect(dict.get('Interpolate') !== true, 'images', 'an image requests interpolation');
  const bits = dict.number('BitsPerComponent');
  const isMask = dict.get('ImageMask') === true;
  findings.expect(
    bits === undefined || (isMask ? bits === 1 : findings.rules.imageBits.has(bits)),
    'images',
    'an image has a BitsPerComponent value that is not allowed',
  );
  const smask = dict.get('SMask');
  findings.expect(
    findings.rules.transparency || smask === undefined || smask === null,
    'transparency',
    'an image has a soft mask',
  );
  checkIntent(dict.raw('Intent') === undefined ? undefined : nameOf(dict.raw('Intent')), findings);
}

function checkState(state: Dict, findings: Findings): void {
  findings.expect(!state.map.has('TR'), 'graphicsStates', 'a graphics state has a transfer function');
  const transfer = state.raw('TR2');
  findings.expect(
    transfer === undefined || nameOf(transfer) === 'Default',
    'graphicsStates',
    'a graphics state has a transfer function',
  );
  checkIntent(state.raw('RI') === undefined ? undefined : nameOf(state.raw('RI')), findings);
  const mode = state.raw('BM');
  if (findings.rules.transparency) {
    const value = resolve(mode);
    findings.expect(
      mode === undefined ||
        (Array.isArray(value) ? value : [mode]).every((each) => BLEND_MODES.has(nameOf(each) ?? '')),
      'transparency',
      'a graphics state has an unknown blend mode',
    );
    findings.expect(!state.map.has('HTP'), 'graphicsStates', 'a graphics state has a halftone phase');
    checkHalftone(state.dict('HT'), findings);
    return;
  }
  const mask = state.raw('SMask');
  findings.expect(
    mask === undefined || nameOf(mask) === 'None',
    'transparency',
    'a graphics state has a soft mask',
  );
  findings.expect(
    mode === undefined || OPAQUE_MODES.has(nameOf(mode) ?? ''),
    'transparency',
    'a graphics state has a blend mode other than Normal',
  );
  for (const key of ['CA', 'ca']) {
    const opacity = state.number(key);
    findings.expect(
      opacity === undefined || Math.abs(opacity - 1) < 1e-6,
      'transparency',
      'a graphics state has an opacity other than 1',
    );
  }
}

const PRIMARIES = new Set(['Cyan', 'Magenta', 'Yellow', 'Black']);

/**
 * Checks a halftone, and the halftones of its colorants. Only those of spot colours have a transfer function
 * (ISO 19005-2 6.2.5).
 */
function checkHalftone(halftone: Dict | undefined, findings: Findings, colorant?: string): void {
  if (!halftone) return;
  const type = halftone.number('HalftoneType');
  findings.expect(
    (type === 1 || type === 5) && !halftone.map.has('HalftoneName'),
    'graphicsStates',
    'a graphics state has a halftone that is not allowed',
  );
  const hasTransfer = halftone.map.has('TransferFunction');
  findings.expect(
    colorant === 'Default' || hasTransfer === (colorant !== undefined && !PRIMARIES.has(colorant)),
    'graphicsStates',
    'a halftone has a transfer function that is not allowed, or the halftone of a spot colour has none',
  );
  // The halftones of colorants have none themselves.
  if (type !== 5 || colorant !== undefined) return;
  for (const [key, value] of halftone.map) if (asDict(value)) checkHalftone(asDict(value), findings, key);
}

/** Checks the value of a rendering intent, if there is one. */
export function checkIntent(intent: string | undefined, findings: Findings): void {
  findings.expect(
    intent === undefined || INTENTS.has(intent),
    'intents',
    'a rendering intent is not one of the four standard intents',
  );
}
