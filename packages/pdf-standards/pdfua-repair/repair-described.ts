import { decodeText, Dict, encodeText, name } from '@platen/pdf/objects';
import { DESCRIBED } from './described-elements.ts';
import { eachKid, element, type Element, type Kid } from './structure-tree.ts';

/**
 * Returns the formula or the form field that a figure stands for (see {@link DESCRIBED}); `undefined` for
 * other elements. The result has the content of the figure, but no elements in it.
 */
export function repairDescribed({ type, entries, kids }: Element): Element | undefined {
  const alternative = type === 'Figure' ? entries.string('Alt') : undefined;
  if (!alternative) return undefined;
  const text = decodeText(alternative);
  const [kind] = Object.entries(DESCRIBED).find(([, start]) => text.startsWith(start)) ?? [];
  if (kind === undefined) return undefined;
  const described = encodeText(text.slice(DESCRIBED.formula.length));
  const dict = new Dict();
  const language = entries.string('Lang');
  if (language) dict.set('Lang', language);
  const content: Kid[] = [];
  eachKid(kids, (kid) => {
    if (kid.kind !== 'element') content.push(kid);
  });
  if (kind === 'formula') return element('Formula', content, dict.set('Alt', described));
  dict.set(kind === 'fieldText' ? 'ActualText' : 'Alt', described);
  // A drawn field has a role (ISO 32000-1 14.8.5.6): a field with a text value.
  dict.set('A', Dict.of({ O: name('PrintField'), Role: name('tv') }));
  return element('Form', content, dict);
}
