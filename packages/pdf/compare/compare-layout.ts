import type { TextBox } from '../text/text-box.ts';
import type { LaidOutLine, PageLayout } from './layout-facts.ts';
import { matchLines, type LineEdit } from './match-lines.ts';

/** The differences between the layouts of two pages. */
export interface LayoutChanges {
  /** Sentences without capital letter or full stop. */
  findings: string[];
  /** The boxes of the new page that the findings are about. */
  boxes: TextBox[];
}

/**
 * A smaller movement is not a change. Other versions of Chromium round positions differently, by up to a
 * pixel of 1/96 inch.
 */
const TOLERANCE_PT = 1;
const SIZE_TOLERANCE_PT = 0.5;
const MAX_FINDINGS = 20;
const MAX_QUOTED = 60;
/** A long line that is quoted around its first difference shows so many characters before it. */
const SHOWN_BEFORE = 20;
/** Fewer characters of a difference would not show its meaning. */
const MIN_SHOWN_DIFFERENCE = 20;

/** Compares the layout of a page with the expected one: its size, and the lines of its text. */
export function compareLayout(expected: PageLayout, page: PageLayout): LayoutChanges {
  const findings: string[] = [];
  const boxes: TextBox[] = [];
  if (
    Math.abs(expected.widthPt - page.widthPt) > SIZE_TOLERANCE_PT ||
    Math.abs(expected.heightPt - page.heightPt) > SIZE_TOLERANCE_PT
  )
    findings.push(`the page is ${sizeOf(page)} in size, and was ${sizeOf(expected)}`);
  const { pairs, edits } = matchLines(expected.lines, page.lines);
  for (const edit of edits) {
    findings.push(...describeEdit(edit));
    boxes.push(...edit.added.map(({ box }) => box));
  }
  for (const run of movedRuns(pairs, expected.heightPt, page.heightPt)) {
    findings.push(describeMove(run));
    boxes.push(...run.lines.map(({ box }) => box));
  }
  for (const [before, after] of pairs) {
    const resized = describeResized(before, after);
    if (resized !== undefined) {
      findings.push(resized);
      boxes.push(after.box);
    }
  }
  const omitted = findings.length - MAX_FINDINGS;
  if (omitted <= 0) return { findings, boxes };
  return { findings: [...findings.slice(0, MAX_FINDINGS), `${omitted} more differences`], boxes };
}

function describeEdit({ removed, added }: LineEdit<LaidOutLine>): string[] {
  if (removed.length !== added.length && removed.length > 0 && added.length > 0) {
    const [first, ...others] = added.map(quote);
    if (compact(removed) === compact(added)) {
      const text = quote({ text: removed.map(({ text: line }) => line).join(' ') });
      const were = removed.length === 1 ? '1 line' : `${removed.length} lines`;
      const parts = others.length === 0 ? '' : `: ${[first, ...others.slice(0, 2)].join(', ')}`;
      const are = added.length === 1 ? '1 line' : `${added.length} lines`;
      return [`the text ${text} is on ${are}, and was on ${were}${parts}`];
    }
  } else if (removed.length > 1 && compact(removed) === compact(added))
    return [`the lines from ${quote(removed[0])} on break in other places`];
  const common = Math.min(removed.length, added.length);
  return [
    ...removed.slice(0, common).map((line, index) => {
      const [before, after] = quoteAround(line.text, added[index]?.text ?? '');
      return `the line ${before} is now ${after}`;
    }),
    ...removed.slice(common).map((line) => `the line ${quote(line)} is gone`),
    ...added.slice(common).map((line) => `the line ${quote(line)} is new`),
  ];
}

/** Lines after one another that moved by the same distance. */
interface MovedRun {
  lines: LaidOutLine[];
  right: number;
  down: number;
}

/** Finds the lines that moved. Positions are measured from the top of the page. */
function movedRuns(
  pairs: readonly (readonly [LaidOutLine, LaidOutLine])[],
  heightBefore: number,
  heightAfter: number,
): MovedRun[] {
  const runs: MovedRun[] = [];
  let run: MovedRun | undefined;
  for (const [before, after] of pairs) {
    const right = after.box.x - before.box.x;
    const down =
      heightAfter - after.box.y - after.box.height - (heightBefore - before.box.y - before.box.height);
    if (Math.abs(right) <= TOLERANCE_PT && Math.abs(down) <= TOLERANCE_PT) {
      run = undefined;
      continue;
    }
    const isSame =
      run && Math.abs(run.right - right) <= TOLERANCE_PT && Math.abs(run.down - down) <= TOLERANCE_PT;
    if (run && isSame) run.lines.push(after);
    else runs.push((run = { lines: [after], right, down }));
  }
  return runs;
}

function describeMove({ lines, right, down }: MovedRun): string {
  const moves = [
    ...(Math.abs(down) > TOLERANCE_PT ? [`${points(Math.abs(down))} ${down > 0 ? 'down' : 'up'}`] : []),
    ...(Math.abs(right) > TOLERANCE_PT
      ? [`${points(Math.abs(right))} to the ${right > 0 ? 'right' : 'left'}`]
      : []),
  ].join(' and ');
  if (lines.length === 1) return `the line ${quote(lines[0])} moved ${moves}`;
  return `${lines.length} lines from ${quote(lines[0])} on moved ${moves}`;
}

function describeResized(before: LaidOutLine, after: LaidOutLine): string | undefined {
  if (before.font !== after.font && before.font !== undefined && after.font !== undefined)
    return `the line ${quote(after)} is printed in ${after.font}, and was in ${before.font}`;
  const [one, other] = [before.box, after.box];
  if (Math.abs(one.width - other.width) > TOLERANCE_PT)
    return `the line ${quote(after)} is ${points(other.width)} wide, and was ${points(one.width)}`;
  if (Math.abs(one.height - other.height) > TOLERANCE_PT)
    return `the line ${quote(after)} is ${points(other.height)} high, and was ${points(one.height)}`;
  return undefined;
}

/** Joins lines without white space and final hyphens, to find text that only breaks differently. */
function compact(lines: readonly LaidOutLine[]): string {
  return lines.map(({ text }) => text.replaceAll(' ', '').replace(/-$/, '')).join('');
}

function quote(line: { text: string } | undefined): string {
  return excerptOf(line?.text ?? '', 0);
}

/** Quotes two texts. Of long ones, quotes the part around their first difference. */
function quoteAround(one: string, other: string): [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const isVisible = same + MIN_SHOWN_DIFFERENCE <= MAX_QUOTED;
  const isShort = one.length <= MAX_QUOTED && other.length <= MAX_QUOTED;
  const start = isVisible || isShort ? 0 : same - SHOWN_BEFORE;
  return [excerptOf(one, start), excerptOf(other, start)];
}

function excerptOf(text: string, start: number): string {
  const end = start + MAX_QUOTED;
  // A character of two code units is not divided.
  const part = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `"${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}"`;
}

function points(value: number): string {
  return `${Number(value.toFixed(1))} pt`;
}

function sizeOf({ widthPt, heightPt }: PageLayout): string {
  return `${Number(widthPt.toFixed(1))} × ${points(heightPt)}`;
}
