import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ServerMissingError } from '../../../scripts/servers/maven.mjs';
import { installPdfKit } from '../../../scripts/servers/pdfkit.mjs';
import { describeWithPdfTools, pageSizes, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { skip } from '../../support/service/servers.ts';
import { isThorough } from '../../support/suite.ts';
import { CommandFolder, EXECUTABLE } from './command.ts';
import { serveEcho } from './echo-site.ts';

/** Installs pdfkit, or explains the skip. */
function requirePdfKit(): string | undefined {
  if (!isThorough) return undefined;
  try {
    return installPdfKit();
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    return skip(`pdfkit: ${error.message}`);
  }
}

const python = requirePdfKit();

describeWithPdfTools('pdfkit of PyPI', () => {
  test.skipIf(python === undefined)('works with bin/wkhtmltopdf', async () => {
    using folder = new CommandFolder();
    const site = serveEcho();
    await folder.write({
      'page.html': '<!doctype html><h1>From a file</h1>',
      'cover.html': '<!doctype html><h1>Cover page</h1>',
      'style.css': "h1::after { content: ' styled' }",
    });
    const script = join(import.meta.dir, 'run_pdfkit.py');
    const child = Bun.spawn([python ?? '', script, EXECUTABLE, folder.path, `${site.url}/page`], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, messages] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    site.stop();
    expect({ status: await child.exited, messages }).toEqual({ status: 0, messages: '' });
    const results = JSON.parse(output.slice(output.lastIndexOf('{"string"')));
    expect(results).toMatchObject({ string: true, file: true, contents: true, url: true });
    expect(results.unknown).toContain('Unknown long argument --no-such-flag');
    expect(results.missing).toContain('ContentNotFoundError');

    const text = await folder.read('string.pdf');
    await qpdfCheck(text);
    expect(await pdfText(text)).toMatch(/Grüße styled[^]*1 of 1/);
    expect((await pageSizes(text))[0]?.width).toBeCloseTo(612, 0);
    expect(await pdfText(await folder.read('bytes.pdf'))).toContain('Grüße');
    expect(await pdfText(await folder.read('url.pdf'))).toContain('GET /page');
    const contents = await pdfText(await folder.read('contents.pdf'));
    expect(contents).toMatch(
      /Cover page[^]*Contents[^]*From a file +3[^]*From a file +4[^]*From a file[^]*From a file/,
    );
  });
});
