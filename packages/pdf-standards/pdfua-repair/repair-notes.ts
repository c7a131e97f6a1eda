import { encodeText, asDict } from '@platen/pdf/objects';
import { targetOf } from './describe-links.ts';
import { NOTE_DESTINATIONS } from './note-destinations.ts';
import { element, type Element, type Kid } from './structure-tree.ts';

const { callPrefix, notePrefix } = NOTE_DESTINATIONS;

/** Returns the target of a link element; empty for other kids. */
function linkTarget(kid: Kid | undefined): string {
  if (kid?.kind !== 'element' || kid.type !== 'Link') return '';
  for (const inner of kid.kids) {
    const annotation = inner.kind === 'annotation' ? asDict(inner.annotation) : undefined;
    const target = annotation && targetOf(annotation);
    if (target !== undefined) return target.slice(1);
  }
  return '';
}

/** Returns the id of the note that an element of the printed structure is; `undefined` for other elements. */
export function noteId({ type, kids }: Element): string | undefined {
  if (type !== 'NonStruct') return undefined;
  const target = linkTarget(kids[0]);
  return target.startsWith(callPrefix) ? `note-${target.slice(callPrefix.length)}` : undefined;
}

/** Creates a note (ISO 32000-1 14.8.4.4.1), whose id must be unique in the document (ISO 14289-1 7.9). */
export function noteElement(id: string, { kids, entries }: Element): Element {
  return element('Note', kids, entries.copy().set('ID', encodeText(id)));
}

/** Makes the call of a note a reference; returns other links unchanged. */
export function repairCall(link: Element): Element {
  return linkTarget(link).startsWith(notePrefix) ? element('Reference', [link]) : link;
}
