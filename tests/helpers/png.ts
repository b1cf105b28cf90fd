import { crc32, deflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  colourType: 0 | 2 | 3 | 4 | 6;
  depth: number;
  interlaced: boolean;
}

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A valid PNG whose pixels are `fill`; `extra` chunks stand between header and pixels. */
export function makePng(
  { width, height, colourType, depth, interlaced }: Picture,
  fill: (bytes: number) => Uint8Array = (bytes) => Buffer.alloc(bytes),
  extra: Uint8Array[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  const rows = (interlaced ? passesOf(width, height) : [{ columns: width, rows: height }]).flatMap(
    ({ columns, rows }) =>
      columns === 0
        ? []
        : Array.from({ length: rows }, () =>
            Buffer.concat([
              Buffer.from([0]),
              fill(Math.ceil((columns * channels[colourType] * depth) / 8)),
            ]),
          ),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(colourType === 3 ? [chunk('PLTE', Buffer.alloc(3 * 2 ** depth))] : []),
    ...extra,
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Counted pixel by pixel, by the pattern of eight by eight that the format draws. */
function passesOf(width: number, height: number): { columns: number; rows: number }[] {
  const pattern = ['16462646', '77777777', '56565656', '77777777', '36463646', '77777777', '56565656', '77777777'];
  return [1, 2, 3, 4, 5, 6, 7].map((pass) => {
    const [xs, ys] = [new Set<number>(), new Set<number>()];
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        if (pattern[y % 8]![x % 8] === String(pass)) (xs.add(x), ys.add(y));
    return { columns: xs.size, rows: ys.size };
  });
}

/** A small signature that differs from every other. */
export function freshSignature(bytes = 24): Buffer {
  const mark = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  return makePng({ width: 3, height: 2, colourType: 0, depth: 8, interlaced: false }, undefined, [
    chunk('teXt', mark),
  ]);
}
