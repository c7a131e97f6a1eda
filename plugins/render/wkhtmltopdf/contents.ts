import { escapeMarkup } from './escape-markup.ts';
import { linkTo, type Heading } from './outline.ts';
import type { ContentsSettings } from './settings.ts';

/** Returns the HTML of a table of contents, in the default style of wkhtmltopdf. */
export function contentsHtml(headings: readonly Heading[], settings: ContentsSettings): string {
  const { heading, hasDottedLines, hasLinks, indentation, shrink } = settings;
  const item = ({ title, page, link, children }: Heading): string => {
    const target = hasLinks ? ` href="${linkTo(link)}"` : '';
    const entry =
      title.trim() === '' ? '' : `<div><a${target}>${escapeMarkup(title)}</a> <span>${page}</span></div>`;
    return `<li>${entry}${children.length > 0 ? `<ul>${children.map(item).join('')}</ul>` : ''}</li>`;
  };
  const line = hasDottedLines ? 'div{border-bottom:1px dashed rgb(200,200,200)}' : '';
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeMarkup(heading)}</title><style>
h1{text-align:center;font-size:20px;font-family:arial}
${line}
div{display:flex;justify-content:space-between;gap:1em}
li{list-style:none;break-inside:avoid}
ul{font-size:20px;font-family:arial;padding-left:0;margin:0}
ul ul{font-size:${shrink * 100}%;padding-left:${indentation}}
a{text-decoration:none;color:black}
</style></head><body><h1>${escapeMarkup(heading)}</h1><ul>${headings.map(item).join('')}</ul></body></html>`;
}

/**
 * Returns a script that transforms the XML of an outline with an XSLT style sheet to HTML. Its value is the
 * HTML, or an object with a `fault`.
 */
export function transformScript(xml: string, styleSheet: string): string {
  return `(() => {
    if (typeof XSLTProcessor === 'undefined') return { fault: 'this version of Chromium has no XSLT' };
    const parse = (text) => new DOMParser().parseFromString(text, 'text/xml');
    const style = parse(${JSON.stringify(styleSheet)});
    const error = style.querySelector('parsererror');
    if (error) return { fault: error.textContent.slice(0, 300) };
    const processor = new XSLTProcessor();
    try {
      processor.importStylesheet(style);
      const result = processor.transformToDocument(parse(${JSON.stringify(xml)}));
      return result?.documentElement ? '<!doctype html>' + result.documentElement.outerHTML : { fault: 'it makes no document' };
    } catch (error) {
      return { fault: String(error).slice(0, 300) };
    }
  })()`;
}
