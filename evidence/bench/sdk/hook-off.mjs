import v8 from 'node:v8';

/** Loaded before R: the SDK makes its promise hook as always, and it is never called. */
v8.promiseHooks.createHook = () => () => undefined;
