import { decodeStream, Dict, PdfError, PdfStream, UnpackBudget, type Direct } from '../objects/index.ts';

const MAX_CONTENT_BYTES = 64_000_000;

/**
 * Finds all names in content streams, and in the forms and patterns they use that have no resources of their own and so take the
 * page's. More than the operators' operands, never less: whatever follows a slash counts, also in strings and image data.
 * `undefined` when it cannot be told: content that cannot be unpacked, or fonts that are drawn with the page's resources.
 */
export function namesInContent(streams: readonly PdfStream[], resources: Dict): Set<string> | undefined {
  const budget = new UnpackBudget(MAX_CONTENT_BYTES);
  const names = new Set<string>();
  const seen = new Set<PdfStream>(streams);
  const waiting = [...streams];
  for (let stream = waiting.pop(); stream; stream = waiting.pop()) {
    const content = unpack(stream, budget);
    if (!content) return undefined;
    for (const found of findNames(content)) {
      if (names.has(found)) continue;
      names.add(found);
      const used = dependants(found, resources);
      if (!used) return undefined;
      for (const dependant of used) {
        if (seen.has(dependant)) continue;
        seen.add(dependant);
        waiting.push(dependant);
      }
    }
  }
  return names;
}

function unpack(stream: PdfStream, budget: UnpackBudget): Uint8Array | undefined {
  try {
    return decodeStream(stream, budget);
  } catch (error) {
    if (error instanceof PdfError) return undefined;
    throw error;
  }
}

function* findNames(content: Uint8Array): Iterable<string> {
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  for (const [, found = ''] of text.matchAll(/\/([^\s\0()<>[\]{}/%]*)/g)) {
    yield found.includes('#')
      ? found.replaceAll(/#([0-9a-f]{2})/gi, (_: string, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      : found;
  }
}

/** Streams behind a name that take the page's resources; `undefined` for a font that does. */
function dependants(found: string, resources: Dict): PdfStream[] | undefined {
  const font = resources.dict('Font')?.dict(found);
  if (font?.name('Subtype') === 'Type3' && !font.map.has('Resources')) return undefined;
  const state = resources.dict('ExtGState')?.dict(found);
  const candidates: (Direct | undefined)[] = [
    resources.dict('XObject')?.get(found),
    resources.dict('Pattern')?.get(found),
    state?.dict('SMask')?.get('G'),
  ];
  return candidates.filter(
    (stream) =>
      stream instanceof PdfStream &&
      !stream.dict.map.has('Resources') &&
      stream.dict.name('Subtype') !== 'Image',
  ) as PdfStream[];
}
