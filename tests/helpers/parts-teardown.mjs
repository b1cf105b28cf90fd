// As in parts-setup.mjs.
import { tsImport } from 'tsx/esm/api';

export default async ({ testNamePattern }) => {
  const { unprovokedAnswers } = await tsImport('./documented-answers.ts', import.meta.url);
  const unprovoked = testNamePattern ? [] : await unprovokedAnswers(globalThis.partsStartedAt);
  await globalThis.stopParts();
  if (unprovoked?.length > 0)
    throw new Error(`The OpenAPI pages document answers that no test provokes:\n${unprovoked.join('\n')}`);
};
