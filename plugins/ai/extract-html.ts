// A fence is taken whole or not at all: tried by every length of it, one of a million characters would take hours.
const FENCE = /(?:^|\n)[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1|$)/g;
const BEGINNING = /<!doctype\s+html|<html[\s>]/i;

/**
 * Takes the document out of a model's answer: out of a fence of Markdown, and out of words before and after it. What a model thinks aloud
 * (`<think>`) is not part of its answer. Returns an empty text when there is no document.
 */
export function extractHtml(answer: string): string {
  const said = answer.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  const fenced = [...said.matchAll(FENCE)].map(([, , content = '']) => content);
  const text = fenced.find((content) => BEGINNING.test(content)) ?? said;
  const start = text.search(BEGINNING);
  if (start < 0) return '';
  const end = text.toLowerCase().lastIndexOf('</html>');
  return end < start ? text.slice(start).trim() : text.slice(start, end + '</html>'.length);
}
