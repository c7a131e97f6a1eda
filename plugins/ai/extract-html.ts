const FENCE = /^[ \t]*(`{3,}|~{3,})/;
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

/** Reads what is in fences, line by line. A fence ends at a line that begins with as many of its characters, or with the text. */
function fencedParts(text: string): string[] {
  const parts: string[] = [];
  let fence: string | undefined;
  let content: string[] = [];
  for (const line of text.split('\n')) {
    const run = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      fence = run;
      content = [];
    } else if (run?.startsWith(fence)) {
      parts.push(content.join('\n'));
      fence = undefined;
    } else content.push(line);
  }
  return fence === undefined ? parts : [...parts, content.join('\n')];
}
