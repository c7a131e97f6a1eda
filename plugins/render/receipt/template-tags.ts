/** A tag of Handlebars in a text. Its length is bounded, so that the search takes linear time. */
const TAG = /\{\{[#^/&>]? ?[A-Za-z_][^{}]{0,80}\}\}/g;

/**
 * Finds tags of Handlebars in the text of the document, which are printed as they are. Examples of code may
 * have them. Returns at most 6 tags, of the first 20,000 texts. It calls methods through prototypes, because
 * elements of the document may replace them.
 */
export const FIND_TEMPLATE_TAGS = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
  const textOf = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data').get;
  const root = read('body') ?? read('documentElement');
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  const found = new Set();
  let count = 0;
  for (let node = walker.nextNode(); node && count < 20000; node = walker.nextNode()) {
    count += 1;
    const text = textOf.call(node);
    if (!text.includes('{{')) continue;
    const parent = parentOf.call(node);
    if (parent && Element.prototype.closest.call(parent, 'script, style, noscript, code')) continue;
    for (const [tag] of text.matchAll(${String(TAG)})) {
      found.add(tag);
      if (found.size === 6) return [...found];
    }
  }
  return [...found];
})()`;
