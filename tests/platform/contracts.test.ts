import { expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { serviceNames } from '../../platform/service-names.js';

test('no two schemas of the contracts have the same id, under which the pages document them', async () => {
  const named = jest.spyOn(z.globalRegistry, 'add');
  for (const name of serviceNames) await import(`../../api/${name}/routes.js`);
  const ids = named.mock.calls.flatMap(([, meta]) => (meta as { id?: string } | undefined)?.id ?? []);
  expect(ids.length).toBeGreaterThan(50);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
