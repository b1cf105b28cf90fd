import { expect, test } from '@jest/globals';
import { OutboundError } from '../../platform/http/outbound.js';
import { eachRow } from '../../workers/each-row.js';

const failing = (error: Error) => {
  const done: number[] = [];
  const work = async (row: number) => {
    if (row === 1) throw error;
    done.push(row);
  };
  return { done, work };
};

test('A row that always fails holds up no other, and its failure is still heard of', async () => {
  const { done, work } = failing(new Error('broken'));
  await expect(eachRow([0, 1, 2, 3], work)).rejects.toThrow('broken');
  expect(done).toEqual([0, 2, 3]);
});

test('While a service is away, the rows after the first are left to the next pass', async () => {
  const { done, work } = failing(new OutboundError('EMR', { kind: 'timeout', timeoutMs: 3_000 }));
  await expect(eachRow([0, 1, 2, 3], work)).rejects.toThrow('EMR did not answer');
  expect(done).toEqual([0]);
});
