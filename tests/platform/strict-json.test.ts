import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '../../api/plugins/strict-json.js';

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

  it('takes 64 levels, and the same key in different objects', () => {
    expect(() => parse('['.repeat(64) + ']'.repeat(64))).not.toThrow();
    expect(parse('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('names nothing of the body in its message', () => {
    expect(() => parse('{"ssn":"secret","ssn":"secret"}')).toThrow(/^(?!.*secret).*$/);
  });
});
