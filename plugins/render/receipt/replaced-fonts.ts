/** A weight and a style of a family that a document requests, and the family lacks. */
export interface ReplacedFont {
  family: string;
  weight: number;
  style: 'normal' | 'italic';
}

/**
 * Finds the faces that the text of the document requests from a family of `@font-face` rules, and that the
 * family lacks. Chromium then prints another face of the family, or slants or thickens one. Only the first
 * family of `font-family` counts, because a list names substitutes on purpose. Returns at most 20 faces, of
 * the first 20,000 elements. It calls methods through prototypes, because elements of the document may
 * replace them.
 */
export const FIND_REPLACED_FONTS = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const nameOf = (family) => family.trim().replace(/^(["'])(.*)\\1$/, '$2').replace(/\\\\(.)/g, '$1').toLowerCase();
  const weightOf = (weight) => ({ normal: 400, bold: 700 })[weight] ?? Number(weight);
  const isUpright = (style) => !/italic|oblique/.test(style);
  const families = new Map();
  for (const { family, weight, style } of FontFaceSet.prototype.values.call(read('fonts'))) {
    const [lowest, highest = lowest] = weight.split(' ').map(weightOf);
    const faces = families.get(nameOf(family)) ?? [];
    families.set(nameOf(family), [...faces, { lowest, highest, upright: isUpright(style) }]);
  }
  if (families.size === 0) return [];
  const found = new Map();
  const known = new Set();
  const walker = Document.prototype.createTreeWalker.call(document, read('body') ?? read('documentElement'), NodeFilter.SHOW_TEXT);
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
  const textOf = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data').get;
  let last;
  let count = 0;
  for (let node = walker.nextNode(); node && count < 20000 && found.size < 20; node = walker.nextNode()) {
    const parent = parentOf.call(node);
    if (!parent || parent === last || !/\\S/.test(textOf.call(node))) continue;
    last = parent;
    count += 1;
    const { fontFamily, fontWeight, fontStyle } = getComputedStyle(parent);
    const key = fontFamily + fontWeight + fontStyle;
    if (known.has(key) || Element.prototype.getClientRects.call(parent).length === 0) continue;
    known.add(key);
    const [first] = fontFamily.match(/"[^"]*"|[^,]+/) ?? [''];
    const faces = families.get(nameOf(first));
    const weight = Number(fontWeight);
    const upright = isUpright(fontStyle);
    if (!faces || faces.some((face) => face.upright === upright && face.lowest <= weight && weight <= face.highest)) continue;
    const face = { family: first.trim().replace(/^"(.*)"$/, '$1').slice(0, 100), weight, style: upright ? 'normal' : 'italic' };
    found.set(JSON.stringify(face), face);
  }
  return [...found.values()];
})()`;
