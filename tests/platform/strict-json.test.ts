import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '../../api/plugins/strict-json.js';
import { HttpError } from '../../api/http-errors.js';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe('strict JSON', () => {
  it('reads what JSON.stringify writes', () => {
    const strings = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !text.includes('\0') && text !== '__proto__');
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        strings,
        fc.boolean(),
        fc.constant(null),
        fc.maxSafeInteger(),
        fc.array(tie('node')),
        fc.dictionary(strings, tie('node'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(fc.property(node, (given) => expect(parse(JSON.stringify(given))).toEqual(given)));
  });

  it.each([
    ['a duplicate key', '{"a":1,"a":2}'],
    ['a duplicate key spelled with an escape', '{"a":1,"\\u0061":2}'],
    ['a duplicate key deep inside', '[{"x":{"b":1,"b":1}}]'],
    ['NUL in a value', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"\\u0000":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['__proto__', '{"__proto__":{}}'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65)],
    ['a million levels', '['.repeat(1_000_000)],
    ['an integer beyond safety', '{"a":9007199254740993}'],
    ['a number that is no number', '1e999'],
    ['a comment', '{"a":1} // x'],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{} {}'],
    ['a byte order mark', '\ufeff{}'],
    ['nothing but space', ' '],
    ['single quotes', "{'a':1}"],
  ])('refuses %s', (_what, text) => {
    expect(() => parse(text)).toThrow(HttpError);
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(HttpError);
  });

  it('takes 64 levels, and the same key in different objects', () => {
    expect(() => parse('['.repeat(64) + ']'.repeat(64))).not.toThrow();
    expect(parse('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('names nothing of the body in its message', () => {
    expect(() => parse('{"ssn":"secret","ssn":"secret"}')).toThrow(/^(?!.*secret).*$/);
  });
});
