import { PNG } from 'pngjs';

/** Creates a PNG of one opaque pixel with a colour. */
export function onePixelPng(red: number, green: number, blue: number): Buffer {
  const image = new PNG({ width: 1, height: 1 });
  image.data.set([red, green, blue, 255]);
  return PNG.sync.write(image);
}
