import { expect, test } from '@jest/globals';
import { tasksOfReference } from '../../domain/clients.js';

test.each([
  ['task-1', ['task-1']],
  ['task-1#2', ['task-1', 'task-1#2']],
  ['task-1#2~3', ['task-1', 'task-1#2~3']],
  ['task-1~1', ['task-1', 'task-1~1']],
  ['refill-0190a1b2-0000-7000-8000-000000000001-4', ['refill-0190a1b2-0000-7000-8000-000000000001']],
  ['refill-0190a1b2-0000-7000-8000-000000000001-4~1', ['refill-0190a1b2-0000-7000-8000-000000000001']],
])('The order %s may belong to the tasks %j', (reference, tasks) => {
  expect(tasksOfReference(reference)).toEqual(tasks);
});
