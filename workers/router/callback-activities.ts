import { createCallbackActivities } from '../../activities/router/callbacks.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { createGuardedSender } from '../../platform/http/guarded.js';
import type { WorkerContext } from '../context.js';

/** What the callbacks queue runs. */
export const callbackActivities = ({ config, sql }: WorkerContext) => {
  const settings = config.service('router');
  return createCallbackActivities({
    sql,
    keys: new KeyRing(settings.SECRET_ENCRYPTION_KEYS),
    send: createGuardedSender({
      allowPrivate: settings.ALLOW_PRIVATE_CALLBACKS,
      privateHosts: settings.CALLBACK_PRIVATE_HOSTS,
    }),
  });
};
