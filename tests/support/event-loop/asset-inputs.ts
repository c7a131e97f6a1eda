import { trueTypeFont, woff2Of } from '../fonts/fonts.ts';
import { base64, everyBody, json, MB, type WorstInput } from './inputs.ts';

const route = 'POST /v1/assets';
const asset = (name: string, content: string) => json({ name, data: base64(content) });

/** The uploads of assets that, as far as is known, cost the most. */
export const assetInputs: WorstInput[] = [
  ...everyBody(route),
  ...[
    { name: 'a PNG of 5 MB', body: () => asset('a.png', `\u0089PNG\r\n\u001a\n${'x'.repeat(4.9 * MB)}`) },
    { name: 'a style sheet of 5 MB of URLs', body: () => asset('a.css', 'url(asset:'.repeat(0.5 * MB)) },
    { name: 'an SVG after 5 MB of comments', body: () => asset('a.svg', '<!---->'.repeat(0.7 * MB)) },
    { name: 'a font of 5 MB', body: () => asset('a.ttf', `OTTO\0\u0064${'x'.repeat(4.9 * MB)}`) },
    {
      name: 'a WOFF2 file that claims 4 GB',
      body: () =>
        json({
          name: 'a.woff2',
          data: woff2Of(trueTypeFont, { declare: () => 4_000_000_000 }).toString('base64'),
        }),
    },
    { name: 'more than 5 MB', body: () => asset('a.css', 'x'.repeat(5.5 * MB)) },
  ].map((input) => ({ route, ...input })),
];
