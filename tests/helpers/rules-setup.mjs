// Jest does not map `.js` specifiers to `.ts` here, so the set-up itself is loaded through tsx.
import { tsImport } from 'tsx/esm/api';

export default async () => {
  const { prepareRules } = await tsImport('./rules-setup.ts', import.meta.url);
  await prepareRules();
};
