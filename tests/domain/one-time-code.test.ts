import { expect, test } from '@jest/globals';
import { typedCode } from '../../domain/one-time-code.js';

test.each(['383777', ' 383 777\n', '383-777', '383–777', '３８３７７７', '383\u00a0777', '383\u200b777'])(
  '%j is the code that was mailed',
  (text) => {
    expect(typedCode(text)).toBe('383777');
  },
);

test('other characters stay, and make it another code', () => {
  expect(typedCode('383x777')).toBe('383x777');
});
