import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPng } from '../../api/registry/png.js';
import { signatureImage } from '../../api/registry/signature-image.js';
import { base64Of, maxSignatureBytes } from '../../domain/signature-image.js';
import { chunk, freshSignature, makePng, type Picture } from '../helpers/png.js';

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
const small: Picture = { width: 3, height: 2, colourType: 0, depth: 8, interlaced: false };

describe('a PNG', () => {
  test('is one in every colour type, depth and size, interlaced or not', () => {
    fc.assert(fc.property(picture, (any) => isPng(makePng(any))));
  });

  test('is none with any byte of it changed', () => {
    const whole = fc.constant(makePng(small));
    fc.assert(
      fc.property(whole, fc.nat(), fc.integer({ min: 1, max: 255 }), (png, position, difference) => {
        const changed = Buffer.from(png);
        const at = position % png.length;
        changed.writeUInt8(png.readUInt8(at) ^ difference, at);
        return !isPng(changed);
      }),
    );
  });

  test('is none when it is cut short anywhere', () => {
    const png = makePng(small);
    for (let length = 0; length < png.length; length += 1) expect(isPng(png.subarray(0, length))).toBe(false);
  });

  test.each<[string, Buffer]>([
    ['pixels for another height', renamed(makePng({ ...small, height: 3 }), makePng(small))],
    ['no pixels', Buffer.concat(parts(makePng(small)).filter(({ type }) => type !== 'IDAT').map(({ bytes }) => bytes))],
    ['a colour depth that does not exist', makePng({ ...small, colourType: 2, depth: 4 })],
    ['a palette image without its palette', withoutPalette()],
    ['an unknown row filter', makePngWithFilter(7)],
    ['sides that would take gigabytes', makePng({ ...small, height: 1 }, undefined).fill(0)],
  ])('is none with %s', (_what, png) => {
    expect(isPng(png)).toBe(false);
  });
});
