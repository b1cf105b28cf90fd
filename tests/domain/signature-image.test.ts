import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPng } from '../../platform/png.js';
import { signatureImage } from '../../api/registry/contract.js';
import { base64Of, maxSignatureBytes } from '../../domain/signature-image.js';
import {
  chunk,
  freshSignature,
  header,
  palette,
  type Picture,
  pictured,
  pixels,
  pngOf,
  smallPicture as small,
} from '../helpers/png.js';

const depths = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] } as const;
const picture: fc.Arbitrary<Picture> = fc
  .constantFrom<Picture['colourType']>(0, 2, 3, 4, 6)
  .chain((colourType) =>
    fc.record({
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
      colourType: fc.constant(colourType),
      depth: fc.constantFrom<number>(...depths[colourType]),
      interlaced: fc.boolean(),
    }),
  );
const end = chunk('IEND');
const chunksOf = (of: Picture) => [header(of), pixels(of), end];

describe('a PNG', () => {
  test('is one in every colour type, depth and size, interlaced or not', () => {
    fc.assert(fc.property(picture, (any) => isPng(pictured(any))));
  });

  test('is one whose pixels come in several chunks', () => {
    const data = pixels(small).subarray(8, -4);
    const split = [chunk('IDAT', data.subarray(0, 3)), chunk('IDAT', data.subarray(3))];
    expect(isPng(pngOf(header(small), ...split, end))).toBe(true);
  });

  test('is one of 4,000 x 4,000, interlaced or not', () => {
    for (const interlaced of [false, true])
      expect(isPng(pictured({ ...small, width: 4_000, height: interlaced ? 8 : 4_000, interlaced }))).toBe(
        true,
      );
  });

  // A list of all rows would take seconds to make, before anything was unpacked.
  test('is judged by its sides before anything grows with them', () => {
    const tall = pngOf(header({ ...small, width: 1, height: 29_000_000, depth: 1 }), pixels(small), end);
    const before = process.memoryUsage().heapUsed;
    expect(isPng(tall)).toBe(false);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });

  test('is none with any byte of it changed', () => {
    const png = pictured(small);
    fc.assert(
      fc.property(fc.nat(png.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(png);
        changed.writeUInt8(png.readUInt8(at) ^ difference, at);
        return !isPng(changed);
      }),
    );
  });

  test('is none when it is cut short anywhere', () => {
    const png = pictured(small);
    for (let length = 0; length < png.length; length += 1) expect(isPng(png.subarray(0, length))).toBe(false);
  });

  const indexed: Picture = { ...small, colourType: 3 };
  const oddDepth: Picture = { ...small, colourType: 2, depth: 4 };
  test.each([
    ['pixels for more rows than announced', [header(small), pixels({ ...small, height: 3 }), end]],
    ['pixels for fewer rows than announced', [header(small), pixels({ ...small, height: 1 }), end]],
    ['no pixels', [header(small), end]],
    ['pixels that do not unpack', [header(small), chunk('IDAT', Buffer.from('pixels')), end]],
    ['a colour depth that does not exist', [header(oddDepth), pixels(oddDepth), end]],
    ['colours from a palette that is not there', [header(indexed), pixels(indexed), end]],
    ['a row filter that does not exist', [header(small), pixels(small, 5), end]],
    ['no width', [header({ ...small, width: 0 }), pixels(small), end]],
    [
      'sides that stand for gigabytes',
      [header({ ...small, width: 90_000, height: 90_000 }), pixels(small), end],
    ],
    ['a longer side than 4,000', chunksOf({ ...small, width: 1, height: 4_001 })],
    ['a wider side than 4,000', chunksOf({ ...small, width: 4_001, height: 1 })],
    ['something before the header', [palette, header(small), pixels(small), end]],
  ])('is none with %s', (_what, chunks) => {
    expect(isPng(pngOf(...chunks))).toBe(false);
  });
});

describe('a signature image', () => {
  const accepts = (text: string): boolean => signatureImage.safeParse(text).success;
  const ballast = maxSignatureBytes - freshSignature(0).length;

  test('is accepted bare and as a data URI, and goes to a pharmacy bare', () => {
    const base64 = freshSignature().toString('base64');
    for (const text of [base64, `data:image/png;base64,${base64}`]) {
      expect(accepts(text)).toBe(true);
      expect(base64Of(text)).toBe(base64);
    }
  });

  test('has at most 512 KiB', () => {
    expect(accepts(freshSignature(ballast).toString('base64'))).toBe(true);
    expect(accepts(freshSignature(ballast + 1).toString('base64'))).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['a data URI of another type', `data:image/jpeg;base64,${freshSignature().toString('base64')}`],
    ['Base64 with line breaks', freshSignature().toString('base64').replace(/.{10}/g, '$&\n')],
    ['Base64 for URLs', freshSignature(600).toString('base64url')],
    ['text', 'signed, the doctor'],
  ])('is refused as %s', (_what, text) => {
    expect(accepts(text)).toBe(false);
  });
});
