import { asDict, encodeText, Name, PdfString, type Dict, Ref, type Page } from '@platen/pdf/objects';
import { annotationsOf, eachKid, type Kid } from './structure-tree.ts';

/** A link of the HTML document. */
export interface LinkText {
  /** The resolved URL; a fragment alone (`#id`) for a link within the document. */
  href: string;
  /** The text that a screen reader reads for the link. */
  text: string;
}

const MAX_TEXT_CHARACTERS = 1_000;

/**
 * Describes each link annotation (ISO 14289-1 7.18.5) with the text of its link in the HTML document, or with
 * its target if the HTML document has no such link. Chromium writes the links in the order of the document
 * but omits links on pages that are not printed, so this function looks for the next link with the same
 * target.
 */
export function describeLinks(kids: readonly Kid[], texts: readonly LinkText[]): void {
  let next = 0;
  eachKid(kids, (kid) => {
    if (kid.kind !== 'element' || kid.type !== 'Link') return;
    const annotations = annotationsOf(kid.kids).flatMap((annotation) => asDict(annotation) ?? []);
    const target = annotations.map(targetOf).find((known) => known !== undefined) ?? '';
    let found = next;
    while (found < texts.length && texts[found]?.href !== target) found++;
    if (found < texts.length) next = found + 1;
    const known = texts[found]?.text.trim() ?? '';
    const text = known || target || 'Link';
    for (const annotation of annotations)
      // A description by the program that made the document is better than the target.
      if (known !== '' || !annotation.string('Contents')?.bytes.length)
        annotation.set('Contents', encodeText(text.slice(0, MAX_TEXT_CHARACTERS)));
  });
}

/**
 * Removes the links of a page that have no structure element, such as links in headers, whose text is an
 * artifact.
 */
export function removeUntaggedLinks({ dict }: Page, tagged: ReadonlySet<Ref>): void {
  const annotations = dict.array('Annots');
  if (!annotations) return;
  const kept = annotations.filter(
    (annotation) =>
      asDict(annotation)?.name('Subtype') !== 'Link' || (annotation instanceof Ref && tagged.has(annotation)),
  );
  dict.set('Annots', kept.length > 0 ? kept : undefined);
}

/** Returns the target of a link in the form of {@link LinkText.href}. */
export function targetOf(annotation: Dict): string | undefined {
  const uri = annotation.dict('A')?.string('URI');
  if (uri) return Buffer.from(uri.bytes).toString('utf8');
  const destination = annotation.get('Dest') ?? annotation.dict('A')?.get('D');
  if (destination instanceof Name) return `#${Buffer.from(destination.value, 'latin1').toString('utf8')}`;
  return destination instanceof PdfString ? `#${Buffer.from(destination.bytes).toString('utf8')}` : undefined;
}
