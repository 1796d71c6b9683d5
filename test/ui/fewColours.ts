/** Makes pictures of a window small. */

/** The used part of a browser. */
interface Browser {
  readonly createImageBitmap: (
    picture: Blob,
  ) => Promise<{ readonly width: number; readonly height: number }>;
  readonly OffscreenCanvas: new (width: number, height: number) => Canvas;
}

interface Canvas {
  getContext(kind: '2d'): Context | null;
  convertToBlob(options: {
    readonly type: string;
    readonly quality: number;
  }): Promise<Blob>;
}

interface Context {
  drawImage(picture: unknown, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): Image;
  putImageData(image: Image, x: number, y: number): void;
}

interface Image {
  readonly data: { readonly buffer: ArrayBuffer };
}

interface FewColours {
  readonly png: string;
  readonly most: number;
  readonly type: string;
}

/**
 * Encodes without losses, which is small with few colours, and sharp. Runs in a
 * page. Both pictures are in Base64.
 */
export async function inFewColours({
  png,
  most,
  type,
}: FewColours): Promise<string> {
  const { createImageBitmap, OffscreenCanvas } =
    globalThis as unknown as Browser;
  const bitmap = await createImageBitmap(
    new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))]),
  );
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is nothing to draw on.');
  context.drawImage(bitmap, 0, 0);
  const image = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const pixels = new Uint32Array(image.data.buffer);
  const distance = (one: number, other: number) =>
    [0, 8, 16, 24].reduce(
      (sum, bits) =>
        sum + (((one >> bits) & 255) - ((other >> bits) & 255)) ** 2,
      0,
    );
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts].map(([colour, count]) => ({
    colour,
    count,
    off: Infinity,
    as: colour,
  }));
  // Each next colour is the one that most is lost without.
  for (let i = 0; i < most; i++) {
    const lost = ({ count, off }: { count: number; off: number }) =>
      i === 0 ? count : count * off;
    const next = colours.reduce((worst, each) =>
      lost(each) > lost(worst) ? each : worst,
    ).colour;
    for (const each of colours) {
      const off = distance(each.colour, next);
      if (off < each.off) Object.assign(each, { off, as: next });
    }
  }
  const nearest = new Map(colours.map(({ colour, as }) => [colour, as]));
  pixels.forEach((pixel, i) => {
    pixels[i] = nearest.get(pixel) ?? pixel;
  });
  context.putImageData(image, 0, 0);
  // This quality has no losses.
  const picture = await canvas.convertToBlob({ type, quality: 1 });
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
