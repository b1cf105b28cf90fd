import { createEventActivities } from '../../activities/events/deliveries.js';
import { createCallbackActivities } from '../../activities/router/callbacks.js';
import { createCancellationActivities } from '../../activities/router/cancellations.js';
import { createHoldActivities } from '../../activities/router/holds.js';
import { createPharmacyActivities } from '../../activities/router/pharmacy.js';
import { createSilenceActivities } from '../../activities/router/silence.js';
import { createSubmissionActivities } from '../../activities/router/submissions.js';
import { createUnknownOrderActivities } from '../../activities/router/unknown-orders.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { createGuardedSender } from '../../platform/http/guarded.js';
import type { WorkerContext } from '../context.js';
import { routerEvents } from './events.js';

export const routerActivities = (context: WorkerContext) => {
  const { config, sql } = context;
  const settings = config.service('router');
  const pharmacies = createPharmacies(settings);
  return {
    ...createSubmissionActivities({ sql }),
    ...createPharmacyActivities({ sql, pharmacies }),
    ...createSilenceActivities({
      sql,
      pharmacies,
      silentMs: settings.PHARMACY_SILENCE_HOURS * 3_600_000,
    }),
    ...createHoldActivities({ sql, pharmacies }),
    ...createCancellationActivities({
      sql,
      pharmacies,
      askForMs: settings.PHARMACY_CANCEL_HOURS * 3_600_000,
    }),
    ...createUnknownOrderActivities({
      sql,
      pharmacies,
      settleSeconds: settings.ORDER_SETTLE_SECONDS,
    }),
    ...createEventActivities(sql, 'router', { router: routerEvents(context) }),
  };
};

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
