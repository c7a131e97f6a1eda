const FENCE = /(?:^|\n)[ \t]*(`{3,}|~{3,})/g;
/** No answer has more; each costs some time. */
const MAX_FENCES = 10_000;
const BEGINNING = /<!doctype\s+html|<html[\s>]/i;

/**
 * Takes the document out of a model's answer: out of a fence of Markdown, and out of words before and after it. What a model thinks aloud
 * (`<think>`) is not part of its answer. Returns an empty text when there is no document.
 */
export function extractHtml(answer: string): string {
  const said = answer.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  const text = fencedParts(said).find((content) => BEGINNING.test(content)) ?? said;
  const start = text.search(BEGINNING);
  if (start < 0) return '';
  const end = text.toLowerCase().lastIndexOf('</html>');
  return end < start ? text.slice(start).trim() : text.slice(start, end + '</html>'.length);
}

/** Reads what is in fences. A fence ends at a line that begins with as many of its characters, or with the text. */
function fencedParts(text: string): string[] {
  const parts: string[] = [];
  let open: { run: string; from: number } | undefined;
  let read = 0;
  for (const { 0: line, 1: run = '', index } of text.matchAll(FENCE)) {
    read += 1;
    if (read > MAX_FENCES) break;
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
