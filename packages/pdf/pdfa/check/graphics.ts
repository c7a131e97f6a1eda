import { Dict, type PdfStream } from '../../objects/index.ts';
import { nameOf } from '../content/graph.ts';
import { INTENTS } from '../content/operators.ts';
import type { CheckContext, Findings } from './findings.ts';

const BITS = new Set([1, 2, 4, 8]);
const OPAQUE_MODES = new Set(['Normal', 'Compatible']);

/** Checks images, form XObjects, graphics states and groups (6.2.4 to 6.2.9, 6.4). */
export function checkGraphics({ pages, graph, findings }: CheckContext): void {
  for (const page of pages) checkGroup(page, findings);
  for (const resources of graph.resources)
    for (const key of resources.dict('XObject')?.map.keys() ?? [])
      findings.expect(
        resources.dict('XObject')?.dict(key)?.name('Subtype') !== 'PS',
        '6.2.7',
        'a PostScript XObject is not allowed',
      );
  for (const image of graph.images.keys()) checkImage(image, findings);
  for (const { dict } of graph.forms.keys()) {
    findings.expect(!dict.map.has('OPI'), '6.2.4', 'a form XObject has an OPI entry');
    findings.expect(
      !dict.map.has('PS') && dict.name('Subtype2') !== 'PS',
      '6.2.5',
      'a form XObject contains PostScript',
    );
    findings.expect(!dict.map.has('Ref'), '6.2.6', 'a form XObject refers to another file');
    checkGroup(dict, findings);
    findings.expect(!dict.map.has('SMask'), '6.4', 'a form XObject has a soft mask');
  }
  for (const state of graph.states) checkState(state, findings);
}

function checkGroup(owner: Dict, findings: Findings): void {
  findings.expect(
    owner.dict('Group')?.name('S') !== 'Transparency',
    '6.4',
    'a page or form XObject has a transparency group',
  );
}

function checkImage({ dict }: PdfStream, findings: Findings): void {
  findings.expect(!dict.map.has('Alternates'), '6.2.4', 'an image has alternate images');
  findings.expect(!dict.map.has('OPI'), '6.2.4', 'an image has an OPI entry');
  findings.expect(dict.get('Interpolate') !== true, '6.2.4', 'an image requests interpolation');
  const bits = dict.number('BitsPerComponent');
  const isMask = dict.get('ImageMask') === true;
  findings.expect(
    bits === undefined || (isMask ? bits === 1 : BITS.has(bits)),
    '6.2.4',
    'an image has a BitsPerComponent value that is not allowed',
  );
  const smask = dict.get('SMask');
  findings.expect(smask === undefined || smask === null, '6.4', 'an image has a soft mask');
  checkIntent(dict.raw('Intent') === undefined ? undefined : nameOf(dict.raw('Intent')), findings);
}

function checkState(state: Dict, findings: Findings): void {
  findings.expect(!state.map.has('TR'), '6.2.8', 'a graphics state has a transfer function');
  const transfer = state.raw('TR2');
  findings.expect(
    transfer === undefined || nameOf(transfer) === 'Default',
    '6.2.8',
    'a graphics state has a transfer function',
  );
  checkIntent(state.raw('RI') === undefined ? undefined : nameOf(state.raw('RI')), findings);
  const mask = state.raw('SMask');
  findings.expect(mask === undefined || nameOf(mask) === 'None', '6.4', 'a graphics state has a soft mask');
  const mode = state.raw('BM');
  findings.expect(
    mode === undefined || OPAQUE_MODES.has(nameOf(mode) ?? ''),
    '6.4',
    'a graphics state has a blend mode other than Normal',
  );
  for (const key of ['CA', 'ca']) {
    const opacity = state.number(key);
    findings.expect(
      opacity === undefined || Math.abs(opacity - 1) < 1e-6,
      '6.4',
      'a graphics state has an opacity other than 1',
    );
  }
}

/** Checks the value of a rendering intent, if there is one. */
export function checkIntent(intent: string | undefined, findings: Findings): void {
  findings.expect(
    intent === undefined || INTENTS.has(intent),
    '6.2.9',
    'a rendering intent is not one of the four standard intents',
  );
}
