import { Type, type Collection } from '../../src/plugin.ts';
import type { Template } from './contract.ts';

const MAX_SEARCH_CHARACTERS = 100;
export const MAX_TAG_CHARACTERS = 50;

/** The query parameter `search` of the lists of templates, of the marketplace and of starters. */
export const SearchText = Type.String({
  minLength: 1,
  maxLength: MAX_SEARCH_CHARACTERS,
  expected: `a string of 1 to ${MAX_SEARCH_CHARACTERS} characters`,
  description: 'Only entries whose name, description or category contains this text, ignoring case.',
});

/** The query parameter `tag` of the list of templates. */
export const TagText = Type.String({
  minLength: 1,
  maxLength: MAX_TAG_CHARACTERS,
  pattern: '^[^\\x00-\\x1f]*$',
  expected: `1 to ${MAX_TAG_CHARACTERS} characters, without control characters`,
  description: 'Only templates with this tag.',
});

/** The query parameter `category` of the lists of templates and of the marketplace. */
export const CategoryText = Type.String({
  description: 'Only templates of this category; an unknown category gives an empty list.',
});

/**
 * Maps texts that differ only in case or in Unicode composition to the same text. Upper case maps ß to SS and
 * both forms of σ to Σ.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase();
}

/**
 * Returns the text of a template that searches read. A line break separates the fields, so that no match
 * spans two of them.
 */
export function searchTextOf({ name, category }: Pick<Template, 'name' | 'category'>): string {
  return foldCase(`${name}\n${category}`);
}

/** Returns the condition that a search adds to the filter of a list. */
export function searchFilter(search: string | undefined): { searchText?: { contains: string } } {
  return search === undefined ? {} : { searchText: { contains: foldCase(search) } };
}

/**
 * Returns the condition that a category adds to the filter of a list. An unknown category matches nothing.
 */
export function categoryFilter(category: string | undefined): { category?: Template['category'] } {
  return category === undefined ? {} : { category: category as Template['category'] };
}

/** Returns the text of a template that lists by tag read: each tag between line breaks. */
export function tagTextOf(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : `\n${tags.join('\n')}\n`;
}

/** Returns the condition that a tag adds to the filter of a list. */
export function tagFilter(tag: string | undefined): { tagText?: { contains: string } } {
  return tag === undefined ? {} : { tagText: { contains: `\n${tag}\n` } };
}

/**
 * Stores the search text of a template that has none. Does nothing when the template has changed since it was
 * read, because each change stores the text of its new fields.
 */
export async function storeSearchText(
  templates: Collection<Template>,
  { id, name, category }: Template,
): Promise<void> {
  await templates.update(
    { id, name, category, searchText: null },
    { searchText: searchTextOf({ name, category }) },
  );
}

const PAGE_SIZE = 100;

/**
 * Stores the search texts of templates whose creation or change a crash interrupted. Idempotent.
 */
export async function storeMissingSearchTexts(templates: Collection<Template>): Promise<void> {
  for (;;) {
    const missing = await templates.find({ where: { searchText: null }, limit: PAGE_SIZE });
    for (const template of missing) await storeSearchText(templates, template);
    if (missing.length < PAGE_SIZE) return;
  }
}
