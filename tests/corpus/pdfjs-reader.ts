import { PNG } from 'pngjs';
import { PdfjsViewer } from '../support/pdf/pdfjs-viewer.ts';

// pdf.js replaces a `navigator` without a language. Keep the original, because services read the number of
// processors from it.
const { navigator } = globalThis;
const { getDocument } = await import('../../tools/node_modules/pdfjs-dist/legacy/build/pdf.mjs');
globalThis.navigator = navigator;

const POINTS_PER_INCH = 72;

/**
 * Returns the text of all pages as pdf.js reads it, with the text of annotations that it draws itself because
 * they have no appearance.
 */
export async function textByPdfjs(pdf: Uint8Array): Promise<string> {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 });
  try {
    const document = await task.promise;
    const texts: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      texts.push(...items.map((item) => ('str' in item ? item.str : '')));
      for (const annotation of await page.getAnnotations())
        if (annotation.subtype === 'FreeText' && !annotation.hasAppearance)
          texts.push(annotation.contentsObj?.str ?? '');
    }
    return texts.join('\n');
  } finally {
    await task.destroy();
  }
}

/**
 * Opens a file with a password in pdf.js. Returns the permissions as bits of the entry `P`, or `undefined` if
 * the password is wrong.
 */
export async function openWithPdfjs(
  pdf: Uint8Array,
  password: string,
): Promise<{ pages: number; permissions: number } | undefined> {
  const task = getDocument({ data: Uint8Array.from(pdf), password, verbosity: 0 });
  try {
    const document = await task.promise;
    const flags = (await document.getPermissions()) ?? [];
    return { pages: document.numPages, permissions: [...flags].reduce((bits, flag) => bits | flag, 0) };
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return undefined;
    throw error;
  } finally {
    await task.destroy();
  }
}

/** Draws all pages with pdf.js in Chromium. */
export async function drawWithPdfjs(pdf: Uint8Array, dpi: number): Promise<PNG[]> {
  await using viewer = await PdfjsViewer.open(pdf);
  const images = await viewer.page.evaluate<string[]>(`(async () => {
    const images = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: ${dpi / POINTS_PER_INCH} });
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
      await page.render({ canvas, viewport, annotationMode: pdfjsLib.AnnotationMode.ENABLE }).promise;
      images.push(canvas.toDataURL('image/png').split(',')[1]);
    }
    return images;
  })()`);
  return images.map((image) => PNG.sync.read(Buffer.from(image, 'base64')));
}
