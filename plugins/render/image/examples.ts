import { generatedExample, unmade } from '../examples.ts';

/** Example requests for the documentation. A test sends each of them. */
export const imageExamples = {
  'social card': {
    html: '<body style="margin: 0; display: grid; place-items: center; height: 100vh; font: 64px sans-serif">{{title}}</body>',
    data: { title: 'Launch day' },
    options: { width: 1200, height: 630 },
  },
  'one element in high resolution': {
    html: '<div id="badge" style="width: 200px; padding: 20px; border-radius: 12px; background: navy; color: white">Verified</div>',
    options: { selector: '#badge', scale: 2, transparent: true },
  },
  'whole page as WebP': {
    markdown: '# Release notes\n\n- Images of documents',
    options: { format: 'webp', quality: 70 },
    output: 'base64',
  },
};

const { pages: _, ...generated } = generatedExample;

/** A response of `POST /v1/images`. */
export const imageExample = {
  ...generated,
  url: 'https://pdf.example.com/files/file_png_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  file_name: 'card.png',
  content_type: 'image/png',
};

const { pages: __, ...unmadeImage } = unmade;

/** A response of `POST /v1/images` with `async`. */
export const queuedImageExample = { ...imageExample, ...unmadeImage };
