import { Dict, type PdfStream } from '../../objects/index.ts';
import { nameOf } from '../content/graph.ts';
import { INTENTS } from '../content/operators.ts';
import type { Checked, Findings } from './report.ts';

const BITS = new Set([1, 2, 4, 8]);
const OPAQUE_MODES = new Set(['Normal', 'Compatible']);

/** Checks images, forms, graphics states and groups (6.2.4 to 6.2.9, 6.4). */
export function checkGraphics({ pages, graph, findings }: Checked): void {
  for (const page of pages) checkGroup(page, findings);
  for (const resources of graph.resources)
    for (const key of resources.dict('XObject')?.map.keys() ?? [])
      findings.expect(
        resources.dict('XObject')?.dict(key)?.name('Subtype') !== 'PS',
        '6.2.7',
        'has content in PostScript',
      );
  for (const image of graph.images.keys()) checkImage(image, findings);
  for (const { dict } of graph.forms.keys()) {
    findings.expect(!dict.map.has('OPI'), '6.2.4', 'has content that stands for other content (OPI)');
    findings.expect(
      !dict.map.has('PS') && dict.name('Subtype2') !== 'PS',
      '6.2.5',
      'has a form with PostScript',
    );
    findings.expect(!dict.map.has('Ref'), '6.2.6', 'has a form that refers to another file');
    checkGroup(dict, findings);
    findings.expect(!dict.map.has('SMask'), '6.4', 'has a form with a soft mask');
  }
  for (const state of graph.states) checkState(state, findings);
}

function checkGroup(owner: Dict, findings: Findings): void {
  findings.expect(owner.dict('Group')?.name('S') !== 'Transparency', '6.4', 'has a transparency group');
}

function checkImage({ dict }: PdfStream, findings: Findings): void {
  findings.expect(!dict.map.has('Alternates'), '6.2.4', 'has an image with alternatives');
  findings.expect(!dict.map.has('OPI'), '6.2.4', 'has content that stands for other content (OPI)');
  findings.expect(dict.get('Interpolate') !== true, '6.2.4', 'has an image that is to be interpolated');
  const bits = dict.number('BitsPerComponent');
  const isMask = dict.get('ImageMask') === true;
  findings.expect(
    bits === undefined || (isMask ? bits === 1 : BITS.has(bits)),
    '6.2.4',
    'has an image of a sample size that is not allowed',
  );
  const smask = dict.get('SMask');
  findings.expect(smask === undefined || smask === null, '6.4', 'has an image with a soft mask');
  checkIntent(dict.raw('Intent') === undefined ? undefined : nameOf(dict.raw('Intent')), findings);
}

function checkState(state: Dict, findings: Findings): void {
  findings.expect(!state.map.has('TR'), '6.2.8', 'has a transfer function');
  const transfer = state.raw('TR2');
  findings.expect(
    transfer === undefined || nameOf(transfer) === 'Default',
    '6.2.8',
    'has a transfer function',
  );
  checkIntent(state.raw('RI') === undefined ? undefined : nameOf(state.raw('RI')), findings);
  const mask = state.raw('SMask');
  findings.expect(mask === undefined || nameOf(mask) === 'None', '6.4', 'has a soft mask');
  const mode = state.raw('BM');
  findings.expect(
    mode === undefined || OPAQUE_MODES.has(nameOf(mode) ?? ''),
    '6.4',
    'has a blend mode other than Normal',
  );
  for (const key of ['CA', 'ca']) {
    const opacity = state.number(key);
    findings.expect(
      opacity === undefined || Math.abs(opacity - 1) < 1e-6,
      '6.4',
      'has content that is not opaque',
    );
  }
}

/** Checks the value of a rendering intent; `undefined` for none. */
export function checkIntent(intent: string | undefined, findings: Findings): void {
  findings.expect(
    intent === undefined || INTENTS.has(intent),
    '6.2.9',
    'has a rendering intent that is not allowed',
  );
}
