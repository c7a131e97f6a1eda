const FENCE = /(?:^|\n)[ \t]*(`{3,}|~{3,})/g;
/** The maximum number of fences that are read, because each takes time. */
const MAX_FENCES = 10_000;
const BEGINNING = /<!doctype\s+html|<html[\s>]/i;

/**
 * Extracts the document from a model's answer. The document may be in a Markdown fence or surrounded by other
 * text; reasoning in `<think>` is ignored. Returns an empty string if the text has no document.
 */
export function extractHtml(answer: string): string {
  const withoutReasoning = answer.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  const text = fencedParts(withoutReasoning).find((content) => BEGINNING.test(content)) ?? withoutReasoning;
  const start = text.search(BEGINNING);
  if (start < 0) return '';
  const end = text.toLowerCase().lastIndexOf('</html>');
  return end < start ? text.slice(start).trim() : text.slice(start, end + '</html>'.length);
}

/**
 * Returns the content of each fence. A fence ends at a line that begins with at least as many of its
 * characters, or at the end of the text.
 */
function fencedParts(text: string): string[] {
  const parts: string[] = [];
  let open: { run: string; from: number } | undefined;
  let fences = 0;
  for (const { 0: line, 1: run = '', index } of text.matchAll(FENCE)) {
    fences += 1;
    if (fences > MAX_FENCES) break;
    if (open === undefined) open = { run, from: index + line.length };
    else if (run.startsWith(open.run)) {
      parts.push(contentOf(text.slice(open.from, index)));
      open = undefined;
    }
  }
  return open === undefined ? parts : [...parts, contentOf(text.slice(open.from))];
}

/** Leaves out the rest of the line on which a fence begins. */
function contentOf(fenced: string): string {
  const lineEnd = fenced.indexOf('\n');
  return lineEnd < 0 ? '' : fenced.slice(lineEnd + 1);
}
