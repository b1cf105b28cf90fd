import type { Patient } from 'fhir/r4.js';
import { connectStripe, exchange, signed } from './calls.js';
import type { Message, Person, Prescriber, Submission } from './services.js';
import { sender, setting } from './settings.js';
import type { Sql } from './tables.js';

export interface Request {
  taskId: string;
  medication: string;
  patientId: string;
}
type Medication = Submission['medication'] & { amountCents: number };
interface Order {
  submissionId: string;
  orderId: string;
  pharmacy: string;
}

/** The seven steps of an approval, each with an effect and its record. @param url of the three services */
export function stepsOf(sql: Sql, url: string) {
  const stripe = connectStripe();
  return {
    async configureMedication({ taskId, medication, patientId }: Request): Promise<Medication> {
      await sql`insert into task (id, patient_id) values (${taskId}, ${patientId}) on conflict (id) do nothing`;
      const [found] = await sql<Medication[]>`select * from medication where name = ${medication}`;
      if (!found) throw new Error('No such medication');
      return found;
    },

    async findPatient(patientId: string): Promise<Person> {
      const patient = await exchange<Patient>(`${setting('EMR_BASE_URL')}/Patient/${patientId}`, {
        method: 'GET',
        headers: { authorization: `Bearer ${setting('EMR_TOKEN')}` },
      });
      const [name] = patient.name ?? [];
      const [address] = patient.address ?? [];
      const telecom = (system: string) => patient.telecom?.find((one) => one.system === system)?.value ?? '';
      return {
        firstName: name?.given?.[0] ?? '',
        lastName: name?.family ?? '',
        dob: patient.birthDate ?? '',
        gender: patient.gender ?? '',
        email: telecom('email'),
        phone: telecom('phone'),
        line1: address?.line?.[0] ?? '',
        city: address?.city ?? '',
        state: address?.state ?? '',
        zip: address?.postalCode ?? '',
      };
    },

    choosePrescriber: (state: string) =>
      signed<{ pharmacy: string; prescriber: Prescriber }>(`${url}/registry/route`, sender, { state }),

    async submitToPharmacy(submission: Submission): Promise<string> {
      const { orderId } = await signed<{ orderId: string }>(
        ...([`${url}/router/submit`, sender, submission, submission.id] as const),
      );
      return orderId;
    },

    async chargeCard({ taskId, patientId }: Request, amountCents: number): Promise<void> {
      const [payment] = await sql<{ customerId: string; paymentMethodId: string }[]>`
        with opened as (
          insert into payment (task_id, customer_id, amount_cents)
          select ${taskId}, customer_id, ${amountCents} from profile where patient_id = ${patientId}
          on conflict (task_id) do nothing
        )
        select customer_id, payment_method_id from profile where patient_id = ${patientId}
      `;
      if (!payment) throw new Error('No card');
      const { id } = await stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency: 'usd',
          off_session: true,
          confirm: true,
          customer: payment.customerId,
          payment_method: payment.paymentMethodId,
          metadata: { ideal_task_id: taskId },
        },
        { idempotencyKey: `ideal:${taskId}:1` },
      );
      await sql`update payment set status = 'succeeded', intent_id = ${id} where task_id = ${taskId}`;
    },

    /** Only pharmacy_c does not ship by itself. */
    async createLabel({ submissionId, orderId, pharmacy }: Order, person: Person): Promise<void> {
      if (pharmacy !== 'pharmacy_c') return;
      const { firstName, lastName, phone, line1, city, state, zip } = person;
      const label = await signed<{ shipmentId: string; trackingNumber: string }>(
        `${setting('SHIPPING_BASE_URL')}/shipping/shipments`,
        { keyId: setting('SHIPPING_API_KEY'), secret: setting('SHIPPING_API_SECRET') },
        {
          reference: submissionId,
          pharmacy,
          pharmacyOrderId: orderId,
          kind: 'label',
          recipient: { name: `${firstName} ${lastName}`, phone, line1, city, state, zip },
        },
        `shipment:${submissionId}`,
      );
      await sql`
        insert into shipment values (${submissionId}, ${label.shipmentId}, ${label.trackingNumber})
        on conflict (submission_id) do nothing
      `;
    },

    async notifyPatient(taskId: string, message: Message, result: object): Promise<void> {
      await signed(`${url}/notify/send`, sender, message, message.id);
      await sql`
        update task set status = 'completed', result = ${sql.json(result as never)}, ended_at = now()
        where id = ${taskId}
      `;
    },
  };
}

export type Steps = ReturnType<typeof stepsOf>;
