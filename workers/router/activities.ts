import { createOutboxActivities } from '../../activities/outbox.js';
import { createPharmacyActivities } from '../../activities/router/pharmacy.js';
import { createSubmissionActivities } from '../../activities/router/submissions.js';
import { createPharmacyAClient } from '../../integrations/pharmacy-a/client.js';
import { createPharmacyBClient } from '../../integrations/pharmacy-b/client.js';
import type { WorkerContext } from '../context.js';
import { subscriberActivities } from '../event-consumer.js';
import { nudgeCallbacks } from '../../starts/router.js';
import { routerSweeps } from './sweeps.js';

/** What the router queue runs. */
export const routerActivities = (context: WorkerContext) => {
  const { config, sql, logger, stopping } = context;
  const settings = config.service('router');
  const pharmacyA = createPharmacyAClient({
    baseUrl: settings.PHARMACY_A_BASE_URL,
    sandboxBaseUrl: settings.PHARMACY_A_SANDBOX_BASE_URL,
    apiKey: settings.PHARMACY_A_API_KEY,
  });
  const pharmacyB = createPharmacyBClient({
    baseUrl: settings.PHARMACY_B_BASE_URL,
    sandboxBaseUrl: settings.PHARMACY_B_SANDBOX_BASE_URL,
    clientId: settings.PHARMACY_B_CLIENT_ID,
    clientSecret: settings.PHARMACY_B_CLIENT_SECRET,
  });
  const catalogIds = {
    semaglutide: settings.PHARMACY_B_CATALOG_SEMAGLUTIDE,
    tirzepatide: settings.PHARMACY_B_CATALOG_TIRZEPATIDE,
  };
  return {
    ...createSubmissionActivities({ sql }),
    ...createPharmacyActivities({ sql, pharmacyA, pharmacyB, catalogIds }),
    ...createOutboxActivities({
      sql,
      schema: 'router',
      // Every entry tells of a callback.
      ship: ({ aggregateId }) => nudgeCallbacks(context.temporal, aggregateId),
      sweeps: routerSweeps(context),
      stopping,
      logger,
    }),
    ...subscriberActivities(context, 'router'),
  };
};
