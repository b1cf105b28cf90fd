import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMrn, mrnAlphabet, mrnFrom, mrnLength } from '../../../domain/patients/mrn.js';

const anyBytes = fc.uint8Array({ minLength: mrnLength, maxLength: 32 });

test('the alphabet is the digits and the letters without I, L, O and U', () => {
  expect(mrnAlphabet).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.replace(/[ILOU]/g, ''));
});

test('any bytes give ten characters of the alphabet', () => {
  fc.assert(
    fc.property(anyBytes, (source) => {
      const mrn = mrnFrom(source);
      expect(mrn).toHaveLength(10);
      expect(mrn).toMatch(new RegExp(`^[${mrnAlphabet}]*$`));
      expect([isMrn(mrn), isMrn(mrn.toLowerCase())]).toEqual([true, true]);
    }),
  );
});

test('each character depends on its own byte, and every character is drawn by as many bytes', () => {
  fc.assert(
    fc.property(anyBytes, fc.nat({ max: mrnLength - 1 }), (source, place) => {
      const drawn = new Map<string, number>();
      for (let value = 0; value < 256; value += 1) {
        const changed = Uint8Array.from(source);
        changed[place] = value;
        const mrn = mrnFrom(changed);
        expect(mrn.slice(0, place)).toBe(mrnFrom(source).slice(0, place));
        drawn.set(mrn[place]!, (drawn.get(mrn[place]!) ?? 0) + 1);
      }
      expect([...drawn.keys()].sort().join('')).toBe(mrnAlphabet);
      expect(new Set(drawn.values())).toEqual(new Set([8]));
    }),
    { numRuns: 20 },
  );
});

test('too few bytes are refused', () => {
  expect(() => mrnFrom(Uint8Array.of(1, 2, 3))).toThrow(RangeError);
});

test.each(['', 'ABCDEFGHJ', '0123456789A', 'ILOU012345', 'ABCDE-GHJK', '０123456789'])(
  '%j has not the form of a record number',
  (text) => expect(isMrn(text)).toBe(false),
);
