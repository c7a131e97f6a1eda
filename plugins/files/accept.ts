/**
 * Tells whether an Accept header prefers a media type to JSON (RFC 9110, 12.5.1). A tie, a missing header and
 * a wildcard for both mean JSON.
 */
export function prefersToJson(accept: string | null, mediaType: string): boolean {
  if (accept === null) return false;
  const ranges = accept.split(',').map(readRange);
  return qualityOf(mediaType, ranges) > qualityOf('application/json', ranges);
}

interface MediaRange {
  type: string;
  quality: number;
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Returns the quality of a media type by the most specific range that matches it, or 0. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const family = `${mediaType.split('/')[0]}/*`;
  for (const wanted of [mediaType, family, '*/*']) {
    const qualities = ranges.flatMap(({ type, quality }) => (type === wanted ? [quality] : []));
    if (qualities.length > 0) return Math.max(...qualities);
  }
  return 0;
}
