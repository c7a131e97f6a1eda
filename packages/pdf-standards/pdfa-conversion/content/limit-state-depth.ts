import { Dict, name, PdfStream, readContent, Ref, type Operation } from '@platen/pdf/objects';
import { LIMITS } from '../../limits/limits.ts';
import { compressContent } from '../../content/graph.ts';

/**
 * The maximum nesting of graphics states. It leaves room below the limit for the levels that later steps add.
 */
export const MAX_STATE_DEPTH = LIMITS.stateDepth - 4;
/** The bounding box of the form XObjects extends this far in each direction. */
const EXTENT = 32_000;

/**
 * Moves content that nests graphics states too deeply into form XObjects, because the nesting in a form
 * XObject is counted separately (ISO 19005-1 6.1.12). Adds the form XObjects to the resources. Returns the
 * new content; `undefined` if nothing is moved.
 */
export function limitStateDepth(content: Uint8Array, resources: Dict): Uint8Array | undefined {
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
    const form = formOf(limitStateDepth(inner, resources) ?? inner, resources);
    parts.push(bytes.subarray(kept, outer.end), Buffer.from(`\n/${form} Do\n`, 'latin1'));
    kept = operation.start;
    outer = undefined;
  }
  if (parts.length === 0) return undefined;
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** Adds content as a form XObject to resources. Returns its name. */
function formOf(content: Uint8Array, resources: Dict): string {
  const objects = resources.dict('XObject') ?? new Dict();
  resources.set('XObject', objects);
  let free = 0;
  while (objects.map.has(`Nested${free}`)) free++;
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [-EXTENT, -EXTENT, EXTENT, EXTENT],
    Resources: Ref.to(resources),
  });
  const stream: PdfStream = compressContent(dict, content);
  objects.set(`Nested${free}`, Ref.to(stream));
  return `Nested${free}`;
}
