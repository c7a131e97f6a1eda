import { Dict, name, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import type { ConformingDocument } from '../conforming-sample.ts';
import { define, draw } from './objects.ts';
import { atLevel, objectSamples } from './rule-sample.ts';

/**
 * A colour specification: its method, whether it is approximate, and the enumerated colour space if the
 * method is 1.
 */
interface Colour {
  method?: number;
  approximation?: number;
  space?: number;
}

/** The parts of a JPEG 2000 file that differ from a plain one. */
interface Jpeg2000 {
  channels?: number;
  /** The number of bits of each channel. It is 0 if a box of its own has the numbers. */
  bits?: number;
  colours?: readonly Colour[];
  /** The entries of the image dictionary. */
  entries?: Readonly<Record<string, PdfObject | undefined>>;
}

/** The enumerated colour spaces CMYK, sRGB, greyscale and CIEJab. */
const CMYK = 12;
const SRGB = 16;
const GREY = 17;
const CIE_JAB = 19;

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data]);
}

/** Writes the boxes of a JP2 file of one pixel (ISO 15444-1 annex I). Its codestream is empty. */
function writeJp2({ channels = 3, bits = 8, colours = [{}] }: Jpeg2000): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0, channels, bits === 0 ? 255 : bits - 1, 7, 0, 0]);
  const specified = colours.map(({ method = 1, approximation = 0, space = SRGB }) =>
    box('colr', Buffer.from([method, 0, approximation, ...(method === 1 ? [0, 0, 0, space] : [])])),
  );
  const each = bits === 0 ? [box('bpcc', Buffer.alloc(channels, 7))] : [];
  return Buffer.concat([
    box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
    box('ftyp', Buffer.from('jp2 \u0000\u0000\u0000\u0000jp2 ', 'latin1')),
    box('jp2h', box('ihdr', header), ...each, ...specified),
    box('jp2c', Buffer.from([0xff, 0x4f, 0xff, 0xd9])),
  ]);
}

const image = (file: Jpeg2000, data = writeJp2(file)) =>
  new PdfStream(
    Dict.of({
      Type: name('XObject'),
      Subtype: name('Image'),
      Width: 1,
      Height: 1,
      Filter: name('JPXDecode'),
      ...file.entries,
    }),
    data,
  );
const shows =
  (file: Jpeg2000, data?: Buffer) =>
  (sample: ConformingDocument): void => {
    define(sample, 'XObject', { J: Ref.to(image(file, data)) });
    draw(sample, 'q 10 0 0 10 0 0 cm /J Do Q');
  };
const inRgb = { entries: { ColorSpace: name('DeviceRGB') } };

/**
 * Images in JPEG 2000 (ISO 19005-2 6.2.8.3). PDF 1.4 does not define the filter, which veraPDF does not check
 * at 1b.
 */
export const JPEG2000_SAMPLES = atLevel(
  '2b',
  objectSamples({
    'an image in sRGB': ['2b', shows({})],
    'an image in grey': ['2b', shows({ channels: 1, colours: [{ space: GREY }] })],
    'an image in CMYK': [false, shows({ channels: 4, colours: [{ space: CMYK }] })],
    'an image in CIEJab': [false, shows({ colours: [{ space: CIE_JAB }] })],
    'an image in CIEJab with a colour space in its dictionary': [
      '2b',
      shows({ colours: [{ space: CIE_JAB }], ...inRgb }),
    ],
    'an image of two channels': [false, shows({ channels: 2, colours: [{ space: GREY }] })],
    'an image of two channels with a colour space in its dictionary': [
      false,
      shows({ channels: 2, entries: { ColorSpace: name('DeviceGray') } }),
    ],
    'an image of four channels': ['2b', shows({ channels: 4, ...inRgb })],
    'an image of five channels': [false, shows({ channels: 5, ...inRgb })],
    'an image with a restricted profile': ['2b', shows({ colours: [{ method: 2 }], ...inRgb })],
    'an image with any profile': ['2b', shows({ colours: [{ method: 3 }], ...inRgb })],
    'an image with a vendor colour': [false, shows({ colours: [{ method: 4 }] })],
    'an image with a vendor colour and a colour space in its dictionary': [
      '2b',
      shows({ colours: [{ method: 4 }], ...inRgb }),
    ],
    'an image with two colours': [false, shows({ colours: [{}, {}] })],
    'an image with two colours, of which one is accurate': [
      '2b',
      shows({ colours: [{}, { approximation: 1 }] }),
    ],
    'an image with two colours, of which the first is accurate': [
      '2b',
      shows({ colours: [{ approximation: 1 }, {}] }),
    ],
    'an image with two accurate colours': [
      false,
      shows({ colours: [{ approximation: 1 }, { approximation: 1 }] }),
    ],
    'an image with two colours and a colour space in its dictionary': [
      '2b',
      shows({ colours: [{}, {}], ...inRgb }),
    ],
    'an image with an accurate colour in CIEJab': [
      false,
      shows({ colours: [{}, { approximation: 1, space: CIE_JAB }] }),
    ],
    'an image with another colour in CIEJab': [
      '2b',
      shows({ colours: [{ space: CIE_JAB }, { approximation: 1 }] }),
    ],
    'an image without colours': [false, shows({ colours: [] })],
    'an image without colours with a colour space in its dictionary': [
      '2b',
      shows({ colours: [], ...inRgb }),
    ],
    'an image of one bit': ['2b', shows({ bits: 1 })],
    'an image of 16 bits': ['2b', shows({ bits: 16 })],
    'an image of 38 bits': ['2b', shows({ bits: 38 })],
    'an image of 39 bits': [false, shows({ bits: 39 })],
    'an image with a number of bits for each channel': [false, shows({ bits: 0 })],
    'an image that is only a codestream': [false, shows({}, Buffer.from([0xff, 0x4f, 0xff, 0xd9]))],
  }),
);
