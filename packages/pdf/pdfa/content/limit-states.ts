import { Dict, name, PdfStream, readContent, Ref, type Operation } from '../../objects/index.ts';
import { LIMITS } from '../limits/limits.ts';
import { packed } from './graph.ts';

/** How deep graphics states are left to nest: less than they may, as what is done to the content later nests it in some more. */
export const MAX_STATE_DEPTH = LIMITS.stateDepth - 4;
/** As far as coordinates go. */
const EVERYWHERE = 32_000;

/**
 * Takes what is nested too deeply in `q` and `Q` out of content, into form XObjects, which begin at the graphics state that they are
 * used in and nest anew (ISO 19005-1 6.1.12). The forms are put into the resources. `undefined` when nothing can be taken out.
 */
export function limitStates(content: Uint8Array, resources: Dict): Uint8Array | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const parts: Buffer[] = [];
  let kept = 0;
  let depth = 0;
  let outer: Operation | undefined;
  for (const operation of readContent(bytes)) {
    if (operation.operator === 'q' && ++depth === MAX_STATE_DEPTH) outer = operation;
    if (operation.operator !== 'Q' || depth === 0) continue;
    if (depth-- !== MAX_STATE_DEPTH || !outer) continue;
    const inner = bytes.subarray(outer.end, operation.start);
    const form = formOf(limitStates(inner, resources) ?? inner, resources);
    parts.push(bytes.subarray(kept, outer.end), Buffer.from(`\n/${form} Do\n`, 'latin1'));
    kept = operation.start;
    outer = undefined;
  }
  if (parts.length === 0) return undefined;
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

function formOf(content: Uint8Array, resources: Dict): string {
  const objects = resources.dict('XObject') ?? new Dict();
  resources.set('XObject', objects);
  let free = 0;
  while (objects.map.has(`Nested${free}`)) free++;
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [-EVERYWHERE, -EVERYWHERE, EVERYWHERE, EVERYWHERE],
    Resources: Ref.to(resources),
  });
  const stream: PdfStream = packed(dict, content);
  objects.set(`Nested${free}`, Ref.to(stream));
  return `Nested${free}`;
}
