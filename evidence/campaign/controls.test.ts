import { expect, test } from '@jest/globals';
import { compiledSources } from '../../dev/compile.js';
import { codeWithout, guards } from './controls.js';

test.each(guards)('the code of a control of the campaign stands in one place: $name', async (guard) => {
  const [, instead] = guard.taken;
  expect(await codeWithout(guard, await compiledSources())).toContain(instead);
});
