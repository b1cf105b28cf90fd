import { randomUUID } from 'node:crypto';
import { withDatabase } from '../../cli/database.js';
import { ask, printList } from '../../cli/lists.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import { refillReference } from '../../domain/orchestrator/refills.js';
import type { DevJson } from '../dev-json.js';
import { asAdmin, itemOf, readItem } from './desk.js';
import { newPatient } from './new-patient.js';
import { sandbox, until } from './outside.js';
import { Stage } from './stage.js';

/**
 * `rx demo --morning`: six problems from overnight, for you to resolve at the desk. It makes them one after the
 * other, because a fault affects every caller. It backdates rows for problems that take days.
 * @throws Error at the first that fails
 */
export async function showMorning(dev: DevJson): Promise<void> {
  const clarify = { id: 'hold-1', code: 'clarify-rx', message: 'Once a day or once a week?' };
  const substitute = { id: 'hold-2', code: 'generic-substitution' };
  const itemIds: string[] = [];
  for (const [text, make] of [
    ['The EMR was away for a day, and a patient was archived meanwhile.', missedByEmr],
    ['A domain was registered, and its record was set too late.', unverified],
    ['A client took no callbacks for three days.', deadCallback],
    ['A card was declined for a refill, and not replaced in two weeks.', unpaidRefill],
    ['A pharmacy does not understand an order.', (dev: DevJson) => held(dev, clarify)],
    ['A pharmacy would rather send a generic.', (dev: DevJson) => held(dev, substitute)],
  ] as const) {
    console.log(text);
    itemIds.push(await make(dev));
  }
  const items = await Promise.all(itemIds.map(readItem));
  printList(items, {
    Item: ({ id }) => id,
    Waits: ({ title }) => title,
    Answers: ({ answers }) => answers.join(', '),
  });
  console.log(`All of it waits at the desk: ${dev.services.worklist}`);
  console.log(`${dev.admins.superadmin} signs in with a code, which the mailbox has: ${dev.sandbox}`);
}

async function held(dev: DevJson, hold: { id: string; code: string; message?: string }): Promise<string> {
  const patient = await newPatient(dev, { state: 'WA', card: 'pm_card_visa' });
  const of = { taskId: `morning-${randomUUID()}`, ...patient };
  const stage = new Stage(dev, of, () => undefined);
  const { result } = await stage.approve();
  await stage.atPharmacy('hold', hold);
  return itemOf('pharmacy_hold', { submissionId: result?.submissionId ?? '', holdId: hold.id });
}

/**
 * Keeps an external service failing until a condition holds. @param of limits the fault to calls that have this text
 * in path or body
 */
async function whileAway<T>(
  dev: DevJson,
  of: { target: 'emr' | 'crm'; about?: string },
  work: () => Promise<T>,
): Promise<T> {
  await sandbox(dev, '/faults', { ...of, kind: 'status', status: 503 });
  try {
    return await work();
  } finally {
    const response = await fetch(`${dev.sandbox}/_sandbox/faults`, { method: 'DELETE' });
    await response.body?.cancel();
  }
}

const deadCallback = (dev: DevJson): Promise<string> =>
  whileAway(dev, { target: 'crm' }, async () => {
    const { submissionId } = await ask<{ submissionId: string }>({
      service: 'router',
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: JSON.stringify(orderOf(`${dev.sandbox}/crm`)),
    });
    await withDatabase((sql) =>
      until('the callback was rejected', async () => {
        const aged = await sql`
          update router.callback set first_attempt_at = now() - interval '73 hours'
          where submission_id = ${submissionId} and state = 'pending' and attempts > 0
          returning id
        `;
        return aged[0];
      }),
    );
    return itemOf('callback_dead', { submissionId });
  });

async function unpaidRefill(dev: DevJson): Promise<string> {
  const { emrPatientId } = await newPatient(dev, { state: 'WA', card: 'pm_card_visa' });
  const profile = await withDatabase((sql) => findPaymentProfile(sql, emrPatientId));
  if (!profile) throw new Error('The patient has no card');
  const refused = { customer: profile.customerId, answer: 'insufficient_funds', times: 1 };
  await sandbox(dev, '/stripe/bank', refused);
  const { today } = await ask<{ today: string }>({ service: 'orchestrator', path: '/orchestrator/clock' });
  const { schedule } = await orchestrator<{ schedule: { id: string } }>('refill-schedules', {
    emrPatientId,
    medication: 'semaglutide',
    totalRefillsAllowed: 1,
    nextFillDate: today,
  });
  await orchestrator('refill-check');
  const reference = refillReference(schedule.id, 1);
  await withDatabase((sql) =>
    until('the refill is given up', async () => {
      // The sweep signals the run that it is late, because the run has just set its next check.
      const aged = await sql<{ state: string }[]>`
        update orchestrator.payment_recovery set
          opened_at = now() - interval '15 days', next_at = now() - interval '1 day'
        where reference = ${reference} and messages_sent > 0
        returning state
      `;
      return aged.find(({ state }) => state === 'unpaid');
    }),
  );
  return itemOf('payment_unpaid', { reference });
}

async function missedByEmr(dev: DevJson): Promise<string> {
  const { organization } = await newOrganization();
  const { patient } = await asAdmin<{ patient: { id: string; emr_patient_id: string } }>(
    'patients',
    'POST',
    '/v1/patients',
    personOf(organization.id),
  );
  return whileAway(dev, { target: 'emr', about: patient.emr_patient_id }, async () => {
    await asAdmin('patients', 'POST', `/v1/patients/${patient.id}/archive`, {});
    const syncAttemptId = await withDatabase((sql) =>
      until('the EMR is missed', async () => {
        const aged = await sql<{ id: string }[]>`
          update bridge.emr_sync_attempts set first_attempt_at = now() - interval '25 hours'
          where target_resource_id = ${patient.emr_patient_id} and status = 'pending'
            and next_attempt_at is not null
          returning id
        `;
        return aged[0]?.id;
      }),
    );
    return itemOf('emr_sync_failed', { syncAttemptId });
  });
}

async function unverified(dev: DevJson): Promise<string> {
  const { organization } = await newOrganization();
  const hostname = `care-${randomUUID().slice(0, 8)}.example.test`;
  const domains = `/v1/organizations/${organization.id}/custom-domains`;
  const { dnsRecord } = await asAdmin<{ dnsRecord: { name: string; value: string } }>(
    'organization',
    'POST',
    domains,
    { hostname },
  );
  await withDatabase(
    (sql) => sql`
      update organization.custom_domain set
        watched_since = now() - interval '73 hours', next_check_at = now() - interval '1 hour'
      where hostname = ${hostname}
    `,
  );
  await asAdmin('organization', 'POST', `${domains}/${hostname}/verify`, {});
  const itemId = await itemOf('domain_unverified', { hostname });
  await sandbox(dev, '/dns', { name: dnsRecord.name, type: 'TXT', values: [dnsRecord.value] });
  return itemId;
}

const newOrganization = () =>
  asAdmin<{ organization: { id: string } }>('organization', 'POST', '/v1/organizations', {
    slug: `morning-${randomUUID().slice(0, 8)}`,
    displayName: 'Morning Clinic',
    kind: 'dtc',
  });

const orchestrator = <T>(path: string, body?: object): Promise<T> =>
  ask<T>({
    service: 'orchestrator',
    method: 'POST',
    path: `/orchestrator/${path}`,
    ...(body && { body: JSON.stringify(body) }),
  });

const person = { firstName: 'Nell', lastName: 'Morning', gender: 'female', dob: '1984-02-29' } as const;
const phone = '+12025550101';

function personOf(organizationId: string) {
  const lastName = `Morning${randomUUID().slice(0, 8)}`;
  return {
    organizationId,
    contactEmail: `nell.${lastName.toLowerCase()}@patients.test`,
    demographics: {
      ...person,
      lastName,
      phone,
      address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'WA', zip: '98101' },
    },
    intake: { intakeType: 'glp-1', submittedAt: new Date().toISOString(), payload: {} },
  };
}

/** An order of another client, with this callback address. */
const orderOf = (callbackUrl: string) => ({
  source: 'morning',
  sourceOrderId: randomUUID(),
  callbackUrl,
  patient: { ...person, phone },
  shipTo: {
    firstName: person.firstName,
    lastName: person.lastName,
    phone,
    addressLine1: '18 Larch Lane',
    city: 'Sampleton',
    state: 'WA',
    zip: '98101',
  },
  prescriber: { firstName: 'Blair', lastName: 'Chen', npi: '1245319599' },
  medication: {
    name: 'Semaglutide 5mg/mL',
    sig: 'Inject 0.25 mg under the skin once a week',
    quantity: 2,
    daysSupply: 30,
    refills: 3,
  },
});
