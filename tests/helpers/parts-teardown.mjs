// As in parts-setup.mjs.
import { tsImport } from 'tsx/esm/api';

export default async ({ testNamePattern }) => {
  const { unprovokedAnswers } = await tsImport('./documented-answers.ts', import.meta.url);
  const unprovoked = testNamePattern ? [] : await unprovokedAnswers(globalThis.partsStartedAt);
  await globalThis.stopParts();
  if (!(unprovoked?.length > 0)) return;
  // An error that is thrown here would cost the results of all tests.
  process.stderr.write(
    `The OpenAPI pages document answers that no test provokes:\n${unprovoked.join('\n')}\n`,
  );
  process.exitCode = 1;
};
