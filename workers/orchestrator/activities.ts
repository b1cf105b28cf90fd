import { createEventActivities } from '../../activities/events/deliveries.js';
import { createCloseActivities } from '../../activities/orchestrator/daily-close.js';
import { createStatementActivities } from '../../activities/orchestrator/statements.js';
import { createChargeNotices } from '../../activities/orchestrator/charge-notices.js';
import { createCancellationActivities } from '../../activities/orchestrator/cancellations.js';
import { createDenialActivities, createTaskActivities } from '../../activities/orchestrator/tasks.js';
import {
  createLostChargeActivities,
  createPaymentActivities,
} from '../../activities/orchestrator/payments.js';
import { createEndpointActivities } from '../../activities/orchestrator/event-endpoints.js';
import { createLabelActivities } from '../../activities/orchestrator/lost-labels.js';
import { createNotificationActivities } from '../../activities/orchestrator/notifications.js';
import { createPatientActivities } from '../../activities/orchestrator/patients.js';
import { createDunningActivities } from '../../activities/orchestrator/dunning.js';
import { createPlanNotices } from '../../activities/orchestrator/plan-notices.js';
import { createPlanActivities } from '../../activities/orchestrator/plans.js';
import { createPharmacyActivities } from '../../activities/orchestrator/pharmacy.js';
import { createPrescriberActivities } from '../../activities/orchestrator/prescribers.js';
import { createBulkRetryActivities } from '../../activities/orchestrator/bulk-retry.js';
import { createRefillCheckActivities } from '../../activities/orchestrator/refill-checks.js';
import { createRefundActivities } from '../../activities/orchestrator/refunds.js';
import { createReplacementActivities } from '../../activities/orchestrator/replacements.js';
import { createRerouteActivities } from '../../activities/orchestrator/reroutes.js';
import { createShipmentActivities } from '../../activities/orchestrator/shipments.js';
import { createShipmentUpdateActivities } from '../../activities/orchestrator/shipment-updates.js';
import { orchestratorDay, orchestratorToday } from '../../db/orchestrator/clock.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { createNotificationClient } from '../../integrations/notification/client.js';
import { ownServices } from '../../integrations/own-services.js';
import { createRegistryClient } from '../../integrations/registry/client.js';
import { createRouterClient } from '../../integrations/router/client.js';
import { createOrderClient } from '../../integrations/router/orders.js';
import { createShippedOrderClient } from '../../integrations/router/shipped-orders.js';
import { createShippingClient } from '../../integrations/shipping/client.js';
import { createCardClient } from '../../integrations/stripe/cards.js';
import { createPaymentClient } from '../../integrations/stripe/client.js';
import { createProcessorLedger } from '../../integrations/stripe/ledger.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { createGuardedSender } from '../../platform/http/guarded.js';
import type { WorkerContext } from '../context.js';
import { createCallRecorder } from './downstream-calls.js';
import { orchestratorEvents } from './events.js';

export function orchestratorActivities(context: WorkerContext) {
  const { config, sql, logger } = context;
  const own = config.service('orchestrator');
  const timeZone = config.BUSINESS_TIMEZONE;
  const today = orchestratorToday(context);
  const onCall = createCallRecorder(context);
  const services = ownServices(own, onCall);
  const processor = { apiBase: own.STRIPE_API_BASE, secretKey: own.STRIPE_SECRET_KEY, onCall };
  const shipping = createShippingClient({
    party: 'Shipping service',
    baseUrl: own.SHIPPING_BASE_URL,
    keyId: own.SHIPPING_API_KEY,
    secret: own.SHIPPING_API_SECRET,
    onCall,
  });
  const emr = createEmrClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN, onCall });
  const patients = createPatientActivities({
    emr,
    timeZone,
    consentExtension: own.EMR_CONSENT_EXTENSION,
  });
  const notifications = createNotificationActivities({
    notifications: createNotificationClient(services.notification),
    ownOutageMinutes: own.OWN_OUTAGE_MINUTES,
  });
  const orders = createOrderClient(services.router);
  const payments = createPaymentClient(processor);
  const cancellations = createCancellationActivities({ sql, router: orders, day: orchestratorDay(context) });
  return {
    ...createTaskActivities({ sql, today, timeZone }),
    ...createDenialActivities({ sql, orders }),
    ...createRefillCheckActivities({
      sql,
      today,
      whenUnpaid: own.REFILLS_WHEN_UNPAID,
      noticeDays: own.REFILL_NOTICE_DAYS,
      askDays: own.CHECK_IN_DAYS,
      graceDays: own.CHECK_IN_GRACE_DAYS,
      timeZone,
    }),
    ...patients,
    ...createPrescriberActivities({
      sql,
      registry: createRegistryClient(services.registry),
      platform: own.ORCHESTRATOR_PLATFORM,
      staticPrescribers: { A: own.PRESCRIBER_A, B: own.PRESCRIBER_B },
      logger,
    }),
    ...createPharmacyActivities({
      sql,
      router: createRouterClient(services.router),
      publicUrl: own.ORCHESTRATOR_PUBLIC_URL,
      ownOutageMinutes: own.OWN_OUTAGE_MINUTES,
    }),
    ...createPaymentActivities({ sql, payments, receipts: own.RECEIPTS }),
    ...createLostChargeActivities({ sql, payments, receipts: own.RECEIPTS }),
    ...cancellations,
    ...createRerouteActivities({
      sql,
      router: createRouterClient(services.router),
      orders,
      day: orchestratorDay(context),
    }),
    ...createReplacementActivities({ sql, router: createRouterClient(services.router), orders }),
    ...createRefundActivities({ sql, payments }),
    ...createCloseActivities({
      sql,
      orders,
      shipping,
      ledger: createProcessorLedger(processor),
      today,
      timeZone,
    }),
    ...createStatementActivities({
      sql,
      orders: createShippedOrderClient(services.router, timeZone),
      timeZone,
    }),
    ...createPlanActivities({ sql }),
    ...createBulkRetryActivities({ sql, today, whenUnpaid: own.REFILLS_WHEN_UNPAID }),
    ...createEndpointActivities({
      sql,
      keys: new KeyRing(own.SECRET_ENCRYPTION_KEYS),
      send: createGuardedSender({
        allowPrivate: own.ALLOW_PRIVATE_CALLBACKS,
        privateHosts: own.CALLBACK_PRIVATE_HOSTS,
      }),
      failingMinutes: own.ENDPOINT_FAILING_MINUTES,
    }),
    ...createDunningActivities({
      sql,
      cards: createCardClient(processor),
      settings: {
        retryDays: own.PAYMENT_RETRY_DAYS,
        recoveryDays: own.PAYMENT_RECOVERY_DAYS,
        timeZone,
        publicUrl: own.INTAKE_PUBLIC_URL,
        linkSecret: own.PAYMENT_LINK_SECRET,
      },
    }),
    ...createShipmentActivities({ sql, shipping }),
    ...createLabelActivities({ sql, shipping, settleSeconds: own.ORDER_SETTLE_SECONDS }),
    ...createShipmentUpdateActivities({ sql, shipping, orders }),
    ...notifications,
    ...createEventActivities(sql, 'orchestrator', {
      orchestrator: orchestratorEvents(context, {
        ...patients,
        ...notifications,
        ...cancellations,
        ...createChargeNotices({ sql, orders, payments, timeZone, today }),
        ...createPlanNotices({ sql, isOn: own.PLAN_NOTICES === 'on' }),
        emr,
        orders,
      }),
    }),
  };
}
