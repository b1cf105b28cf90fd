import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  colourType: 0 | 2 | 3 | 4 | 6;
  depth: number;
  interlaced: boolean;
}

export const smallPicture: Picture = { width: 3, height: 2, colourType: 0, depth: 8, interlaced: false };

export const pngOf = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);

export function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

export function header({ width, height, colourType, depth, interlaced }: Picture): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

export const palette = chunk('PLTE', Buffer.alloc(3 * 256));

/** Black pixels, every row under the same filter. */
export function pixels(picture: Picture, filter = 0): Buffer {
  const { width, height, colourType, depth, interlaced } = picture;
  const bitsPerPixel = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType] * depth;
  const rows = (interlaced ? interlacedRows(width, height) : Array<number>(height).fill(width)).map(
    (columns) => Buffer.concat([Buffer.of(filter), Buffer.alloc(Math.ceil((columns * bitsPerPixel) / 8))]),
  );
  return chunk('IDAT', deflateSync(Buffer.concat(rows)));
}

export const pictured = (picture: Picture, ...extra: Buffer[]): Buffer =>
  pngOf(
    header(picture),
    ...(picture.colourType === 3 ? [palette] : []),
    ...extra,
    pixels(picture),
    chunk('IEND'),
  );

/** A small signature unlike any other, with `extraBytes` of ballast. */
export const freshSignature = (extraBytes = 24): Buffer =>
  pictured(smallPicture, chunk('teXt', randomBytes(extraBytes)));

/** Columns per row, pass by pass: which pass draws a pixel is a pattern of eight by eight. */
function interlacedRows(width: number, height: number): number[] {
  const pattern = [
    '16462646',
    '77777777',
    '56565656',
    '77777777',
    '36463646',
    '77777777',
    '56565656',
    '77777777',
  ];
  return ['1', '2', '3', '4', '5', '6', '7'].flatMap((pass) =>
    Array.from({ length: height }, (_, y) => {
      let columns = 0;
      for (let x = 0; x < width; x += 1) if (pattern[y % 8]?.[x % 8] === pass) columns += 1;
      return columns;
    }).filter((columns) => columns > 0),
  );
}
