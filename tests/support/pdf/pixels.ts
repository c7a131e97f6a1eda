/**
 * Renders all pages with poppler as concatenated PPM. Equal bytes are equal images, and comparing them costs
 * a tenth of PNGs.
 */
export async function drawPages(pdf: Uint8Array, { dpi }: { dpi: number }): Promise<Buffer> {
  const child = Bun.spawn(['pdftoppm', '-r', `${dpi}`, '-'], { stdin: pdf, stdout: 'pipe', stderr: 'pipe' });
  const [pages, complaint] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0 || pages.byteLength === 0) throw new Error(`pdftoppm: ${complaint}`);
  return Buffer.from(pages);
}
