import v8 from 'node:v8';

// `--import` loads this before the shared system. Its workflows share a thread with its services, and there the SDK takes
// down where every promise was made, for a query that no test asks. Node makes its own hooks, with `before`, by the same call.
const { createHook } = v8.promiseHooks;
v8.promiseHooks.createHook = (hooks) => ('before' in hooks ? createHook(hooks) : () => undefined);
