import { expect, test } from '@jest/globals';
import { openApiPages } from '../../dev/pages/pages.js';
import type { OpenApiDocument } from '../../api/openapi/document.js';

const pathsOf = async (nodeEnv: 'development' | 'production') =>
  Object.entries((await openApiPages(nodeEnv)) as Record<string, OpenApiDocument>).flatMap(
    ([service, { paths }]) => Object.keys(paths).map((path) => `${service} ${path}`),
  );

test('in production the pages leave out what superadmins only may do and the clock for trying, and nothing else', async () => {
  const [whole, shown] = [await pathsOf('development'), await pathsOf('production')];
  const left = whole.filter((path) => !shown.includes(path));
  expect(shown.filter((path) => !whole.includes(path))).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining(['intake /submit', 'router /rx/prescriptions/submit']));
  expect(shown.filter((path) => path.includes('/admin/'))).toEqual([]);
  expect(left.filter((path) => path.startsWith('intake '))).toEqual([
    'intake /admin/intake-submissions/{id}',
    'intake /admin/intake-retries',
    'intake /admin/intake-retries/{id}/reset',
  ]);
  // Clients' keys and the public reach none of these.
  expect(left.filter((path) => /^(router|orchestrator|registry) /.test(path))).toEqual([
    'orchestrator /orchestrator/clock',
  ]);
});
