import type { Client } from '../service/client.ts';
import type { PlacedWord } from './findings.ts';

/** A character that looks like the box for a missing glyph, and that fonts have. */
const SUBSTITUTE = '\u25A1';

/**
 * Finds the words that have characters without a glyph. The text of a PDF lacks these characters, so the
 * document is printed once more with a substitute for each. A document that has the substitute itself gives
 * no words.
 */
export async function findMissingGlyphs(
  client: Client,
  request: Readonly<Record<string, unknown>>,
  characters: readonly string[],
): Promise<PlacedWord[]> {
  const text = JSON.stringify(request);
  const wanted = characters.filter((character) => text.includes(character));
  if (wanted.length === 0 || text.includes(SUBSTITUTE)) return [];
  const substituted = wanted.reduce((changed, character) => changed.replaceAll(character, SUBSTITUTE), text);
  const { html, ...others } = JSON.parse(substituted) as Record<string, unknown>;
  const source = html === undefined ? {} : { html_content: html };
  const { data } = await client.json<{ data: string }>('POST /v1/templates/preview', {
    body: { ...others, ...source, output: 'base64' },
  });
  const { pages } = await client.json<{ pages: { page: number; words?: Omit<PlacedWord, 'page'>[] }[] }>(
    'POST /v1/pdf/text',
    { body: { pdf: data, format: 'json' } },
  );
  return pages.flatMap(({ page, words = [] }) =>
    words.filter((word) => word.text.includes(SUBSTITUTE)).map((word) => ({ ...word, page })),
  );
}
