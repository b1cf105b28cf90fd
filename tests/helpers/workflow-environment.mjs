import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { tsImport } from 'tsx/esm/api';

/** Loading Temporal's SDK takes longer than most test files. Jest would load it anew for each of them. */
const helper = () => (loaded ??= tsImport('./time-skipping.ts', import.meta.url));
let loaded;

/** Activities find their context here, and those of a case belong to the test file. */
const activityContext = Symbol.for('__temporal_activity_context_storage__');

/** Gives the test files of one Jest process the same copy of the SDK. */
export default class WorkflowEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    globalThis[activityContext] ??= new AsyncLocalStorage();
    this.global[activityContext] = globalThis[activityContext];
    this.global.startTimeSkipping = async () => (await helper()).startTimeSkipping();
  }
}
