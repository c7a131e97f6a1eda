const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const BEGINNING = /<!doctype\s+html|<html[\s>]/i;

/**
 * Extracts the document from a model's answer. The document may be in a Markdown fence or surrounded by other text; reasoning in `<think>`
 * is ignored. Returns an empty string when there is no document.
 */
export function extractHtml(answer: string): string {
  const withoutReasoning = answer.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  const text = fencedParts(withoutReasoning).find((content) => BEGINNING.test(content)) ?? withoutReasoning;
  const start = text.search(BEGINNING);
  if (start < 0) return '';
  const end = text.toLowerCase().lastIndexOf('</html>');
  return end < start ? text.slice(start).trim() : text.slice(start, end + '</html>'.length);
}

/** Returns the content of each fence. A fence ends at a line that begins with the same characters, or at the end of the text. */
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
