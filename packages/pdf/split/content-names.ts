import { decodeStream, Dict, PdfError, PdfStream, UnpackBudget, type Direct } from '../objects/index.ts';

const MAX_CONTENT_BYTES = 64_000_000;

/**
 * Finds the names used in content streams, and in form XObjects and patterns that use the page's resources.
 * May return too many names but never too few: every token after a slash counts, even in strings and image
 * data. Returns `undefined` if content cannot be decoded or a Type 3 font uses the page's resources.
 */
export function namesInContent(streams: readonly PdfStream[], resources: Dict): Set<string> | undefined {
  const budget = new UnpackBudget(MAX_CONTENT_BYTES);
  const names = new Set<string>();
  const seen = new Set<PdfStream>(streams);
  const waiting = [...streams];
  for (let stream = waiting.pop(); stream; stream = waiting.pop()) {
    const content = tryDecode(stream, budget);
    if (!content) return undefined;
    for (const found of findNames(content)) {
      if (names.has(found)) continue;
      names.add(found);
      const used = streamsUsingPageResources(found, resources);
      if (!used) return undefined;
      for (const nested of used) {
        if (seen.has(nested)) continue;
        seen.add(nested);
        waiting.push(nested);
      }
    }
  }
  return names;
}

function tryDecode(stream: PdfStream, budget: UnpackBudget): Uint8Array | undefined {
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

/**
 * Returns the streams with a name that use the page's resources, or `undefined` if the name also denotes a
 * Type 3 font that uses them.
 */
function streamsUsingPageResources(found: string, resources: Dict): PdfStream[] | undefined {
  const font = resources.dict('Font')?.dict(found);
  if (font?.name('Subtype') === 'Type3' && !font.map.has('Resources')) return undefined;
  const state = resources.dict('ExtGState')?.dict(found);
  const candidates: (Direct | undefined)[] = [
    resources.dict('XObject')?.get(found),
    resources.dict('Pattern')?.get(found),
    state?.dict('SMask')?.get('G'),
  ];
  return candidates
    .filter((candidate) => candidate instanceof PdfStream)
    .filter(({ dict }) => !dict.map.has('Resources') && dict.name('Subtype') !== 'Image');
}
