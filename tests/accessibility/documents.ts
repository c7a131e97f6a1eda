const html = (body: string) => `<!doctype html><html lang="en"><title>A document</title>${body}</html>`;

/** Returns a document with a table of five columns. */
export function tableDocument(rows: number): string {
  const cells = (row: number) =>
    `<tr><td>${row}<td>Item number ${row}<td>${row * 7}<td>${row * 11}.00<td>in stock`;
  const body = Array.from({ length: rows }, (_, row) => cells(row)).join('');
  return html(
    `<h1>Stock</h1><table><thead><tr><th>No.<th>Name<th>Count<th>Price<th>State<tbody>${body}</table>`,
  );
}

/** Returns a document of paragraphs with links and emphasis. */
export function proseDocument(paragraphs: number): string {
  const paragraph =
    '<p>Some words about <a href="https://example.com/">a link</a>, and <em>more words</em> that fill a line or two of the page, as prose does.';
  return html(`<h1>Prose</h1>${paragraph.repeat(paragraphs)}`);
}

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A document with every kind of element that the repair of the structure tree handles. */
export const everyElement = html(`<style>figure { margin: 0 }</style>
  <h1>Report</h1>
  <p>Words, <strong>strong</strong>, <em lang="fr">accentués</em> and <span lang="de">deutsche</span>, with <code>code</code>.
  <p lang="it">Un paragrafo. <a href="https://example.com/">Our site</a>
  <h2>Lists</h2>
  <ul><li>One<li>Two<ol><li>Inner</ol></ul>
  <h2>Prices</h2>
  <table><caption>All prices</caption><thead><tr><th>Item<th>Price<tbody><tr><th scope="row">Pen<td>2<tr><td colspan="2">No more</table>
  <figure><img src="${PIXEL}" alt="A dot"><figcaption>A figure</figcaption></figure>
  <blockquote><p>Quoted</blockquote>
  <p><label for="name">Name</label> <input id="name" value="Ada"> <label><input type="checkbox" checked> Agreed</label>
  <p><label for="signature">Signature</label> <input type="signature" name="signature" id="signature">`);
