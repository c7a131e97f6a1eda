import { textOf, type Boldness, type CharacterLine } from './characters.ts';
import { enclose } from './text-box.ts';
import { wordsOf } from './words.ts';

/** The parts of a line that determine its Markdown. Sizes and positions are in points. */
interface Line {
  text: string;
  /** The height of the line, which grows with the font size. */
  size: number;
  /** The positions of the edges, from the lower left corner of the page. */
  left: number;
  right: number;
  bottom: number;
  /** The width of the first word. */
  wordWidth: number;
  boldness: Boldness;
  isDivided: boolean;
}

/** A heading, a list item or a paragraph. */
interface Block {
  text: string;
  /** The last line of the block. */
  last: Line;
  /** The level of a heading, from 1; 0 for other blocks. */
  heading: number;
  isItem: boolean;
  isBold: boolean;
}

/** A line is a heading if its size exceeds the size of body text by this factor. */
const HEADING_FACTOR = 1.15;
const MAX_HEADING_LEVEL = 4;
const MAX_HEADING_CHARACTERS = 200;
/** Lines of a paragraph are at most this many line heights apart. */
const MAX_PITCH = 1.6;
const BULLET = /^[•◦▪▸‣·●○■□◆◇➢➤✓✔⁃∙–—*-] +/;
const ADDRESS = /\S@\S/;
/**
 * A page with so many lines in large type, and few others, is a cover or a slide: only its largest type is a
 * heading.
 */
const MANY_HEADINGS = 8;
const NUMBERED = /^(\d{1,3})[.)] +/;
/** Characters that Markdown would interpret. */
const SPECIAL = /[\\`*_[\]<]/g;

/** The lines of a page for {@link writeMarkdown}. They take less memory than their characters. */
export type MarkdownLines = readonly Line[];

/** Reduces lines to the input of {@link writeMarkdown}. */
export function markdownLines(lines: readonly CharacterLine[]): MarkdownLines {
  return lines.flatMap((line) => {
    const text = textOf(line).replaceAll(/\s+/g, ' ').trim();
    if (text === '') return [];
    const { x, y, width, height } = enclose(line.characters.map(({ box }) => box));
    const [first] = line.characters.filter(({ text: character }) => character.trim() !== '');
    const [word] = wordsOf([line]);
    return {
      text,
      size: Math.min(height, first?.box.height ?? height),
      left: x,
      right: x + width,
      bottom: y,
      wordWidth: word?.width ?? 0,
      boldness: line.boldness,
      isDivided: line.isDivided,
    };
  });
}

/**
 * Writes pages as Markdown. Recognises headings by their size relative to the text of all pages, list items
 * by their bullets and numbers, and bold paragraphs if most of the text is not bold. Joins the lines of
 * paragraphs.
 */
export function writeMarkdown(pages: readonly MarkdownLines[]): string[] {
  const levelIn = headingLevels(pages.flat());
  const isBold = boldLines(pages.flat());
  return pages.map((lines) => {
    const blocks: Block[] = [];
    const levelOf = withoutCovers(lines, levelIn);
    for (const line of lines) {
      const block = blocks.at(-1);
      const [level, bold] = [levelOf(line), isBold(line)];
      if (
        block &&
        continues(block, line, level) &&
        block.isBold === bold &&
        fillsColumn(block.last, line, lines)
      ) {
        block.text = block.last.isDivided
          ? block.text.slice(0, -1) + line.text
          : `${block.text} ${line.text}`;
        block.last = line;
      } else blocks.push({ ...begin(line, level), isBold: bold });
    }
    return join(blocks);
  });
}

/**
 * Returns a function from a line to its heading level; 0 for other text. The most frequent size is the size
 * of body text.
 */
function headingLevels(lines: readonly Line[]): (line: Line) => number {
  const characters = new Map<number, number>();
  for (const { size, text } of lines)
    characters.set(keyOf(size), (characters.get(keyOf(size)) ?? 0) + text.length);
  const [[body] = [0]] = [...characters].toSorted((a, b) => b[1] - a[1]);
  const isLarge = (size: number) => size >= body * HEADING_FACTOR;
  const sizes = [...new Set(lines.map(({ size }) => keyOf(size)))].filter(isLarge).toSorted((a, b) => b - a);
  return ({ size, text }) => {
    if (!isLarge(keyOf(size)) || text.length > MAX_HEADING_CHARACTERS) return 0;
    if (BULLET.test(text) || ADDRESS.test(text)) return 0;
    return Math.min(sizes.indexOf(keyOf(size)) + 1, MAX_HEADING_LEVEL);
  };
}

/**
 * Returns the levels of a page on which most lines are large: only the lines of its largest type are
 * headings.
 */
function withoutCovers(lines: MarkdownLines, levelOf: (line: Line) => number): (line: Line) => number {
  const large = lines.filter((line) => levelOf(line) > 0);
  if (large.length < MANY_HEADINGS || large.length * 2 < lines.length) return levelOf;
  const largest = Math.max(...large.map(({ size }) => keyOf(size)));
  return (line) => (keyOf(line.size) === largest ? levelOf(line) : 0);
}

/**
 * Returns a function that tells whether a line is bold. Type that most of the text has is not bold, whatever
 * its font says.
 */
function boldLines(lines: readonly Line[]): (line: Line) => boolean {
  const share = (test: (line: Line) => boolean) =>
    lines.reduce((sum, line) => sum + (test(line) ? line.text.length : 0), 0) /
    Math.max(
      1,
      lines.reduce((sum, { text }) => sum + text.length, 0),
    );
  if (share(({ boldness }) => boldness === 'bold') > 0.5) return () => false;
  const isHeavyBold = share(({ boldness }) => boldness !== 'regular') <= 0.5;
  return ({ boldness }) => boldness === 'bold' || (isHeavyBold && boldness === 'heavy');
}

/** Rounds a size to half points, so that nearly equal sizes are equal. */
function keyOf(size: number): number {
  return Math.round(size * 2) / 2;
}

function begin(line: Line, heading: number): Omit<Block, 'isBold'> {
  const isItem = heading === 0 && (BULLET.test(line.text) || NUMBERED.test(line.text));
  return { text: line.text, last: line, heading, isItem };
}

function continues({ last, heading }: Block, line: Line, level: number): boolean {
  if (level !== heading || BULLET.test(line.text) || NUMBERED.test(line.text)) return false;
  const pitch = last.bottom - line.bottom;
  if (pitch > MAX_PITCH * Math.max(last.size, line.size)) return false;
  // The line is higher on the page, so it begins another column.
  if (pitch < 0) return last.isDivided;
  return keyOf(last.size) === keyOf(line.size);
}

/**
 * Tells whether a line is full. Then the first word of the next line would not have fitted, so the line break
 * is not deliberate.
 */
function fillsColumn(line: Line, next: Line, lines: readonly Line[]): boolean {
  let right = line.right;
  for (const other of lines)
    if (keyOf(other.size) === keyOf(line.size) && other.left < line.right && other.right > line.left)
      right = Math.max(right, other.right);
  return line.isDivided || line.right + next.wordWidth + line.size / 8 >= right;
}

function join(blocks: readonly Block[]): string {
  let markdown = '';
  for (const [index, block] of blocks.entries()) {
    const isSameList = block.isItem && blocks[index - 1]?.isItem === true;
    markdown += (index === 0 ? '' : isSameList ? '\n' : '\n\n') + present(block);
  }
  return markdown;
}

function present({ text, heading, isItem, isBold }: Block): string {
  if (heading > 0) return `${'#'.repeat(heading)} ${escape(text)}`;
  if (isItem) {
    if (BULLET.test(text)) return `- ${escape(text.replace(BULLET, ''))}`;
    return escape(text).replace(NUMBERED, '$1. ');
  }
  // A paragraph that begins like a heading or a quotation is escaped.
  const paragraph = escape(text).replace(/^[#>+]/, String.raw`\$&`);
  return isBold ? `**${paragraph}**` : paragraph;
}

function escape(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`);
}
