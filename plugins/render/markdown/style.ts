/**
 * The style sheet of documents that are written in Markdown. The paper and its margins are options of the
 * request.
 */
export const MARKDOWN_STYLE = `
html { font-size: 10.5pt; -webkit-print-color-adjust: exact; }
body { margin: 0; color: #1f2328; font-family: Inter, 'Noto Sans', 'Liberation Sans', sans-serif; line-height: 1.55; overflow-wrap: break-word; }
.long, pre { overflow-wrap: anywhere; }
code:not(.long) { white-space: nowrap; }
body > :first-child { margin-top: 0; }
body > :last-child { margin-bottom: 0; }
p, ul, ol, dl, blockquote, pre, table, figure, details { margin: 0 0 0.85em; }
p, li, dd { orphans: 2; widows: 2; }
h1, h2, h3, h4, h5, h6 { margin: 1.6em 0 0.55em; line-height: 1.25; font-weight: 600; break-after: avoid; break-inside: avoid; }
h1 { padding-bottom: 0.25em; border-bottom: 0.75pt solid #d1d9e0; font-size: 2em; }
h2 { padding-bottom: 0.25em; border-bottom: 0.75pt solid #d1d9e0; font-size: 1.5em; }
h3 { font-size: 1.2em; }
h4 { font-size: 1em; }
h5 { font-size: 0.9em; }
h6 { color: #59636e; font-size: 0.9em; }
a { color: #0758bd; text-decoration: none; }
ul, ol { padding-left: 1.9em; }
li > ul, li > ol { margin-bottom: 0; }
li + li { margin-top: 0.2em; }
li > p { margin-bottom: 0.5em; }
li.task { list-style: none; }
li.task > input, li.task > p > input { appearance: none; box-sizing: border-box; width: 1em; height: 1em; margin: 0 0.6em 0 -1.6em; border: 0.75pt solid #818b98; border-radius: 2pt; vertical-align: -0.12em; }
li.task input:checked { border-color: #0758bd; background: #0758bd; }
li.task input:checked::before { content: ''; display: block; width: 0.25em; height: 0.52em; margin: 0.04em auto; border: solid #fff; border-width: 0 0.13em 0.13em 0; transform: rotate(45deg); }
blockquote { padding: 0 0 0 1em; border-left: 3pt solid #d1d9e0; color: #59636e; }
blockquote > :last-child { margin-bottom: 0; }
code, kbd, samp, pre { font-family: 'Noto Sans Mono', 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.86em; }
code, kbd, samp { padding: 0.15em 0.35em; border-radius: 3pt; background: #eff1f3; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
kbd { border: 0.75pt solid #d1d9e0; }
pre { padding: 0.9em 1.1em; border-radius: 4pt; background: #f6f8fa; line-height: 1.45; white-space: pre-wrap; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
pre > code:not(.long) { padding: 0; background: none; font-size: 1em; white-space: inherit; }
table { border-collapse: collapse; max-width: 100%; font-size: 0.95em; font-variant-numeric: tabular-nums; }
th, td { padding: 0.4em 0.8em; border: 0.75pt solid #d1d9e0; vertical-align: top; }
th { background: #f6f8fa; font-weight: 600; text-align: left; }
tr { break-inside: avoid; }
img, svg, video { max-width: 100%; height: auto; break-inside: avoid; }
hr { margin: 1.6em 0; border: 0; border-top: 1.5pt solid #d1d9e0; }
summary { font-weight: 600; }
`
  .trim()
  .replaceAll('\n', '');
