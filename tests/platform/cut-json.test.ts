import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutFromJson } from '../../platform/http/cut-json.js';

const cut = (text: string, ...path: string[]) => cutFromJson(Buffer.from(text), path).toString();

test('a part comes out byte for byte: its spaces, number spellings, escapes and key order', () => {
  const payload = '{ "b" : 1.50,\n\t"a":"\\u00e9 é 𝔘 \\/", "c": [ 1e2 , {} ] }';
  const body = `{"é":"𝔘","intake" : {"payload"\n:  ${payload}  ,"x":1}}`;
  expect(cut(body, 'intake', 'payload')).toBe(payload);
});

test('a key is found in whatever spelling, and not where it stands elsewhere or in a text', () => {
  expect(cut('{"text":"\\"payload\\":0","other":{"payload":1},"\\u0070ayload":{"n":2}}', 'payload')).toBe(
    '{"n":2}',
  );
});

test('what is not there is an error', () => {
  expect(() => cut('{"intake":{}}', 'intake', 'payload')).toThrow('The body has no intake.payload');
});

test('any value is cut as it was written', () => {
  const indent = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), indent, (payload, before, space) => {
      const written = JSON.stringify(payload, null, space);
      expect(cut(`{"a":${JSON.stringify(before)}, "payload" : ${written} }`, 'payload')).toBe(written);
    }),
  );
});
