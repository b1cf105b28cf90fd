import { promiseHooks } from 'node:v8';
import { type Context, type RunningScriptOptions, Script } from 'node:vm';

type Run = (this: Script, context: Context, options?: RunningScriptOptions) => unknown;

/**
 * Takes from replays what they pay for nothing, nearly half of their time. For each promise the SDK notes where it was
 * made, for a query that nobody asks here. For each call into the sandbox Node starts a thread that would end it after
 * 49 days.
 */
export function lightenSandbox(): void {
  const { createHook } = promiseHooks;
  // Still a hook, because AsyncLocalStorage in the sandbox needs one.
  promiseHooks.createHook = () => createHook({ init: () => undefined });
  const runInContext = Reflect.get(Script.prototype, 'runInContext') as Run;
  Script.prototype.runInContext = function (context, { timeout: _never, ...options } = {}) {
    return runInContext.call(this, context, options);
  };
}
