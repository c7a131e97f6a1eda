// @ts-nocheck -- chromiumly is not a dependency; the test installs it.
// Uses chromiumly as its documentation shows. Arguments: the URL of the service, a folder with source files,
// a folder for results, and `office` if the service converts Office files. Prints JSON.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const {
  Chromiumly,
  HtmlConverter,
  HtmlScreenshot,
  LibreOffice,
  MarkdownConverter,
  PDFEngines,
  PdfFormat,
  System,
} = require('chromiumly');

const [url, source, target, office] = process.argv.slice(2);
Chromiumly.configure({ endpoint: url });

const store = async (name, made) => writeFileSync(join(target, name), await made);
const made = (name) => join(target, name);
const json = (buffer) => JSON.parse(buffer.toString());

async function main() {
  const version = (await System.getVersion()).toString();
  const { status } = json(await System.getHealth());

  await store(
    'html.pdf',
    new HtmlConverter().convert({
      html: join(source, 'index.html'),
      header: join(source, 'header.html'),
      footer: join(source, 'footer.html'),
      assets: [{ file: join(source, 'style.css'), name: 'style.css' }],
      properties: {
        size: { width: 8.27, height: 11.7 },
        margins: { top: 1, bottom: 1 },
        printBackground: true,
      },
      waitDelay: '100ms',
    }),
  );
  await store(
    'markdown.pdf',
    new MarkdownConverter().convert({
      html: join(source, 'template.html'),
      markdown: join(source, 'file.md'),
    }),
  );
  await store(
    'screenshot.png',
    new HtmlScreenshot().capture({
      html: join(source, 'index.html'),
      properties: { width: 400, height: 300, clip: true, format: 'png' },
    }),
  );
  const files = [made('html.pdf'), made('markdown.pdf')];
  await store('merged.pdf', PDFEngines.merge({ files, metadata: { Title: 'Bills' } }));
  await store(
    'split.zip',
    PDFEngines.split({ files: [made('merged.pdf')], options: { mode: 'intervals', span: '1' } }),
  );
  await store('flat.pdf', PDFEngines.flatten([made('merged.pdf')]));
  await store('pdfa.pdf', PDFEngines.convert({ files: [made('merged.pdf')], pdfa: PdfFormat.A_2b }));
  await store('turned.pdf', PDFEngines.rotate({ files: [made('merged.pdf')], angle: 90, pages: '1' }));
  await store(
    'encrypted.pdf',
    PDFEngines.encrypt({ files: [made('merged.pdf')], options: { userPassword: 'secret' } }),
  );
  await store(
    'embedded.pdf',
    PDFEngines.embed({ files: [made('merged.pdf')], embeds: [join(source, 'style.css')] }),
  );
  await store(
    'titled.pdf',
    PDFEngines.writeMetadata({ files: [made('merged.pdf')], metadata: { Title: 'Other bills' } }),
  );
  const metadata = json(await PDFEngines.readMetadata({ files: [made('titled.pdf')] }));
  await store(
    'outlined.pdf',
    PDFEngines.writeBookmarks({ files: [made('merged.pdf')], bookmarks: [{ title: 'Bill', page: 1 }] }),
  );
  const bookmarks = json(await PDFEngines.readBookmarks([made('outlined.pdf')]));
  if (office)
    await store(
      'office.pdf',
      LibreOffice.convert({ files: [{ data: readFileSync(join(source, 'note.fodt')), ext: 'fodt' }] }),
    );

  const error = await PDFEngines.merge({ files, pdfa: 'PDF/A-9z' }).then(
    () => 'none',
    ({ message }) => message,
  );
  console.log(
    JSON.stringify({
      version,
      status,
      title: Object.values(metadata)[0].Title,
      bookmarks: Object.values(bookmarks)[0],
      error,
    }),
  );
}

void main();
