const CELL_PX = 12;
/** The smallest difference of a colour channel, from 0 to 255, that counts. */
const THRESHOLD = 24;

/**
 * Marks the cells in which two page images differ on a canvas, which gets the size of the second image.
 * Returns the number of differences: the marked cells, plus one if the images differ in size. If one image is
 * missing, returns 1 and marks nothing.
 */
export async function markDifferences(
  before: Blob | undefined,
  after: Blob | undefined,
  canvas: HTMLCanvasElement | null,
): Promise<number> {
  if (!before || !after || !canvas) {
    if (canvas) canvas.width = 0;
    return before === after ? 0 : 1;
  }
  const [a, b] = await Promise.all([createImageBitmap(before), createImageBitmap(after)]);
  const { width, height } = b;
  const [one, two] = [pixelsOf(a, width, height), pixelsOf(b, width, height)];
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return 0;
  context.fillStyle = 'rgb(217 70 60 / 0.28)';
  let changed = a.width === width && a.height === height ? 0 : 1;
  for (let y = 0; y < height; y += CELL_PX)
    for (let x = 0; x < width; x += CELL_PX)
      if (differs(one, two, { x, y, width, height })) {
        changed += 1;
        context.fillRect(x - 2, y - 2, CELL_PX + 4, CELL_PX + 4);
      }
  return changed;
}

function pixelsOf(image: ImageBitmap, width: number, height: number): Uint8ClampedArray {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('The browser cannot compare images.');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

function differs(
  one: Uint8ClampedArray,
  two: Uint8ClampedArray,
  cell: { x: number; y: number; width: number; height: number },
): boolean {
  for (let y = cell.y; y < Math.min(cell.y + CELL_PX, cell.height); y += 1)
    for (let x = cell.x; x < Math.min(cell.x + CELL_PX, cell.width); x += 1) {
      const at = (y * cell.width + x) * 4;
      for (let channel = at; channel < at + 3; channel += 1)
        if (Math.abs((one[channel] ?? 0) - (two[channel] ?? 0)) > THRESHOLD) return true;
    }
  return false;
}
