import { expect, test } from '@jest/globals';
import { guards, withoutGuard } from './controls.js';

test.each(guards)('the code of a control of the campaign stands in one place: $name', async (guard) => {
  await expect(withoutGuard(guard, async (sources) => sources)).resolves.toContain('control-');
});
