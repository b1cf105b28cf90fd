import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, MalformedCsv, parseCsv } from '../../platform/csv.js';

test('Quotes, commas and line breaks are read as RFC 4180 has them', () => {
  expect(parseCsv('a,b\r\n1,"x ""y"", z"\n\r\n"q\r\nr",\r\n,2')).toEqual([
    ['a', 'b'],
    ['1', 'x "y", z'],
    ['q\r\nr', ''],
    ['', '2'],
  ]);
  expect(parseCsv('')).toEqual([]);
});

test('A negative number is written as it is, and a formula as a text', () => {
  expect(csvLine(['-8000', '-8000+1', '=1', '+1x'])).toBe("-8000,'-8000+1,'=1,'+1x\r\n");
});

test.each(['"a', 'a"b', '"a"b', 'a\rb'])('%j is malformed', (text) => {
  expect(() => parseCsv(`x\n${text}`)).toThrow(new MalformedCsv(1));
});

test('What was written is read again, but for the apostrophe before a formula', () => {
  const cell = fc.string({ unit: 'grapheme-ascii' }).filter((text) => !/^[=+\-@\t\r]/.test(text));
  const records = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }));
  fc.assert(
    fc.property(records, (records) => {
      expect(parseCsv(records.map(csvLine).join(''))).toEqual(records);
    }),
  );
});
