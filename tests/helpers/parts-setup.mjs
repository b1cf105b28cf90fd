// Jest does not map `.js` specifiers to `.ts` here, so the set-up itself is loaded through tsx.
import { tsImport } from 'tsx/esm/api';

export default async () => {
  const { startParts } = await tsImport('./parts-setup.ts', import.meta.url);
  globalThis.partsStartedAt = Date.now();
  globalThis.stopParts = await startParts();
};
