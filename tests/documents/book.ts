const SENTENCE = 'Words that fill the page and go on for some time. ';

/** The size of a {@link book}. */
export interface BookSize {
  chapters: number;
  /**
   * The number of references, one in each paragraph. The number of paragraphs is rounded up to a multiple of
   * `chapters`.
   */
  references: number;
  /** The number of sentences of the longest paragraph. */
  sentences: number;
}

/** A book of about 300 pages. */
export const largeBook: BookSize = { chapters: 60, references: 1_020, sentences: 46 };

/**
 * Builds a book whose page numbers a test can check. A chapter is called `Chapter 3: <<3>>`. A paragraph
 * begins with its number `((17))` and ends with a reference such as `see[4:PAGE]`, half of them by
 * `data-page-of` and half by `target-counter`. With `fixed`, the table of contents and the references are the
 * same links with the number `123`, so that one print suffices.
 */
export function book({ chapters, references, sentences }: BookSize, { fixed = false } = {}): string {
  const perChapter = Math.ceil(references / chapters);
  const body = Array.from({ length: chapters }, (_, chapter) => {
    const paragraphs = [...Array(perChapter).keys()].map((index) => {
      const own = chapter * perChapter + index;
      const other = (own * 7919) % references;
      const number = fixed ? '123' : `<span data-page-of="#t${other}"></span>`;
      const reference =
        own % 2 === 0
          ? `<a href="#t${other}">see[${other}:${number}]</a>`
          : `<a class="ref" href="#t${other}">see[${other}:${fixed ? '123' : ''}</a>]`;
      return `<p><span id="t${own}">((${own}))</span> ${SENTENCE.repeat((own % sentences) + 1)} ${reference}</p>`;
    });
    return `<h1 id="c${chapter}">Chapter ${chapter}: &lt;&lt;${chapter}&gt;&gt;</h1>${paragraphs.join('')}`;
  });
  const entries = Array.from({ length: chapters }, (_, chapter) => `<li><a href="#c${chapter}">Chapter ${chapter}: &lt;&lt;${chapter}&gt;&gt; 123</a></li>`);
  const contents = fixed ? `<nav><h2>Contents</h2><ol>${entries.join('')}</ol></nav>` : '<nav data-toc="h1"><h2>Contents</h2></nav>';
  const style = fixed ? '' : '.ref::after { content: target-counter(attr(href), page) }';
  return `<!doctype html><head><style>@page { size: A4; margin: 20mm; @bottom-center { content: "p." counter(page) } }
    h1 { break-before: page } ${style}</style></head>${contents}${body.join('')}`;
}
