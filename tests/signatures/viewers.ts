import { withPdfFiles } from '../support/pdf/pdf-operations.ts';

const VIEWERS = [
  ['pdftoppm', '-r', '36', '-f', '1', '-l', '1'],
  ['mutool', 'draw', '-q', '-r', '36', '-F', 'ppm', '-o', '-'],
].filter(([program = '']) => Bun.which(program) !== null);

/** Returns the digests of the pictures of the first page in poppler, and in MuPDF if it is installed. */
export function picturesOf(pdf: Uint8Array): string[] {
  return withPdfFiles([pdf], ([path]) =>
    VIEWERS.map((command) => {
      const page = command[0] === 'mutool' ? ['1'] : [];
      const { stdout } = Bun.spawnSync([...command, path, ...page], { stderr: 'ignore' });
      return new Bun.CryptoHasher('sha256').update(stdout).digest('hex');
    }),
  );
}
