import { encodeXml, type TreeElement, type TreeNode } from '@platen/xml';
import { copyOf, element, elementsOf } from './tree.ts';
import { readValue, VALUE } from './values.ts';

/** How a format writes the text of values. */
export interface TextRules {
  text: string;
  run: string;
  style: string;
  /** Makes the element for a picture in text; `undefined` for none. */
  picture: (node: TreeElement) => TreeElement | undefined;
  /** Whether breaks and pictures are in a run, beside its text (docx), or between runs (pptx). */
  breaksInRuns: boolean;
}

/**
 * Writes the values in the text of a filled part: line breaks become elements, and spaces at the ends are
 * kept. Changes the tree.
 */
export function writeTexts(root: TreeElement, rules: TextRules): void {
  const visit = (parent: TreeElement) => {
    if (parent.name === rules.run && hasValues(parent, rules)) return;
    for (const child of elementsOf(parent)) visit(child);
    if (elementsOf(parent).some((child) => child.name === rules.run && hasValues(child, rules)))
      parent.children = parent.children.flatMap((child) =>
        typeof child === 'object' && child.name === rules.run && hasValues(child, rules)
          ? writeRun(child, rules)
          : [child],
      );
  };
  visit(root);
}

function hasValues(run: TreeElement, { text }: TextRules): boolean {
  return elementsOf(run).some((child) => child.name === text && elementsOf(child).length > 0);
}

function writeRun(run: TreeElement, rules: TextRules): TreeElement[] {
  const style = elementsOf(run).find(({ name }) => name === rules.style);
  const pieces = run.children.flatMap((child) =>
    child === style
      ? []
      : typeof child === 'object' && child.name === rules.text
        ? writeText(child, rules)
        : [child],
  );
  const withStyle = (name: string, children: TreeNode[]): TreeElement => ({
    name,
    attributes: new Map(run.attributes),
    children: [...(style ? [copyOf(style)] : []), ...children],
  });
  if (rules.breaksInRuns) return [withStyle(run.name, pieces)];
  return pieces.map((piece) =>
    typeof piece === 'object' && piece.name === 'a:br'
      ? { ...withStyle('a:br', []), attributes: new Map() }
      : withStyle(run.name, [piece]),
  );
}

/** Returns the texts, breaks and pictures for a text element with values. */
function writeText(text: TreeElement, rules: TextRules): TreeElement[] {
  const pieces: TreeElement[] = [];
  let current = '';
  const flush = () => {
    if (current !== '')
      pieces.push(element(rules.text, rules.text === 'w:t' ? { 'xml:space': 'preserve' } : {}, [current]));
    current = '';
  };
  const prefix = rules.text.slice(0, rules.text.indexOf(':') + 1);
  for (const child of text.children) {
    if (typeof child === 'string') {
      current += child;
      continue;
    }
    const value = child.name === VALUE ? readValue(child) : undefined;
    if (!value || value.kind === 'svg') {
      flush();
      const picture = rules.picture(child);
      if (picture) pieces.push(picture);
      continue;
    }
    for (const [index, line] of value.text.split(/\r\n?|\n/).entries()) {
      if (index > 0) {
        flush();
        pieces.push(element(`${prefix}br`));
      }
      current += encodeXml(line);
    }
  }
  flush();
  return pieces;
}
