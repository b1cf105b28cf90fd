import { expect, test } from '@jest/globals';
import { checkCounts } from './report.js';

const lost = { figure: 'lost, out of order', measured: '0, 3', goal: '0, 0' };
const slow = { figure: 'a start', measured: '12 s', goal: '<= 5 s' };

test('A proof fails by the counts that miss their goal, and names each of them.', () => {
  const orders = { figure: 'ordered once', measured: '1999', goal: '2000', isMet: false };
  expect(() => checkCounts([{ ...lost, isMet: false }, slow, orders])).toThrow(
    'The proof fails:\nlost, out of order: 0, 3, not 0, 0\nordered once: 1999, not 2000',
  );
});

test('A proof holds where every count is its goal, whatever the times are.', () => {
  expect(() => checkCounts([{ ...lost, measured: '0, 0', isMet: true }, slow])).not.toThrow();
});
