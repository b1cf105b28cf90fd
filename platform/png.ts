import { crc32, inflateSync } from 'node:zlib';

const fileHeader = Buffer.from('89504e470d0a1a0a', 'hex');
const chunkOverheadBytes = 12;
/** The longest side (D95): a small file can unpack to gigabytes. */
const maxSide = 4_000;
/** Unpacking stops here: four channels of 8 bits, and a filter byte per row. */
const maxPixelBytes = maxSide * (maxSide * 4 + 1);

/** Channels of a pixel and allowed bits of a channel, by color type. */
const colorTypes: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};
const paletteColor = 3;

/** The seven passes of an interlaced image: first pixel and steps. */
const interlacedPasses = [
  { left: 0, top: 0, across: 8, down: 8 },
  { left: 4, top: 0, across: 8, down: 8 },
  { left: 0, top: 4, across: 4, down: 8 },
  { left: 2, top: 0, across: 4, down: 4 },
  { left: 0, top: 2, across: 2, down: 4 },
  { left: 1, top: 0, across: 2, down: 2 },
  { left: 0, top: 1, across: 1, down: 2 },
];
const wholeImage = [{ left: 0, top: 0, across: 1, down: 1 }];

interface Chunk {
  type: string;
  data: Buffer;
}

/**
 * True if the bytes decode as a PNG of at most 4,000 x 4,000 pixels. It checks all checksums, and that the pixels have
 * the size in the header. It ignores bytes after the end chunk.
 */
export function isPng(bytes: Buffer): boolean {
  const chunks = readChunks(bytes);
  const [first] = chunks;
  if (first?.type !== 'IHDR' || chunks.at(-1)?.type !== 'IEND') return false;
  const announced = readHeader(first.data);
  if (!announced) return false;
  if (announced.needsPalette && !chunks.some(({ type }) => type === 'PLTE')) return false;
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return areScanlines(Buffer.concat(compressed), announced.passes);
}

/** Stops at the end chunk, or before the first damaged one. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  if (!bytes.subarray(0, fileHeader.length).equals(fileHeader)) return chunks;
  let at = fileHeader.length;
  while (at + chunkOverheadBytes <= bytes.length && chunks.at(-1)?.type !== 'IEND') {
    const checksumAt = at + 8 + bytes.readUInt32BE(at);
    if (checksumAt + 4 > bytes.length) break;
    if (crc32(bytes.subarray(at + 4, checksumAt)) !== bytes.readUInt32BE(checksumAt)) break;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, checksumAt) });
    at = checksumAt + 4;
  }
  return chunks;
}

interface Pass {
  rows: number;
  /** Filter byte included. */
  rowBytes: number;
}

const sizeOf = (passes: readonly Pass[]): number =>
  passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);

/** @returns undefined if the header is invalid, or the image too large */
function readHeader(header: Buffer): { passes: Pass[]; needsPalette: boolean } | undefined {
  if (header.length !== 13) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colorType = -1, compression, filter, interlace = -1] = header.subarray(8);
  const color = colorTypes[colorType];
  if (width === 0 || height === 0 || compression !== 0 || filter !== 0) return undefined;
  if (width > maxSide || height > maxSide) return undefined;
  if (!color?.depths.includes(depth) || interlace < 0 || interlace > 1) return undefined;
  const bitsPerPixel = color.channels * depth;
  const passes = (interlace === 1 ? interlacedPasses : wholeImage).flatMap(({ left, top, across, down }) => {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) return [];
    return [{ rows, rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8) }];
  });
  if (sizeOf(passes) > maxPixelBytes) return undefined;
  return { passes, needsPalette: colorType === paletteColor };
}

/** True if the pixels unpack to the rows of these passes. Each row starts with one of the five filters. */
function areScanlines(compressed: Buffer, passes: readonly Pass[]): boolean {
  const total = sizeOf(passes);
  let pixels: Buffer;
  try {
    pixels = inflateSync(compressed, { maxOutputLength: total });
  } catch {
    return false;
  }
  if (pixels.length !== total) return false;
  let at = 0;
  for (const { rows, rowBytes } of passes)
    for (const end = at + rows * rowBytes; at < end; at += rowBytes)
      if ((pixels[at] ?? Infinity) > 4) return false;
  return true;
}
