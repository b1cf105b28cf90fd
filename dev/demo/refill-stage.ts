import type { Patient } from 'fhir/r4.js';
import { withDatabase } from '../../cli/database.js';
import { setClock } from '../../cli/clock.js';
import { ask } from '../../cli/lists.js';
import { taskLink } from '../../cli/system.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import type { CalendarDay } from '../../domain/calendar.js';
import { refillTaskId } from '../../domain/orchestrator/refills.js';
import { exchange, expectOk, parseJson } from '../../platform/http/outbound.js';
import { answerItem, itemOf, readItem } from './desk.js';
import { cents, type Finding, finding, line, list, settledFindings } from './judge.js';
import { mailsTo, newest, sandbox } from './outside.js';
import { Stage } from './stage.js';

interface Address {
  city: string;
  state: string;
}
interface Order {
  pharmacy: string;
  orderId: string;
  at: string;
  /** pharmacy_a says `shipTo`, pharmacy_b `shipping`. */
  body: { patient: { email?: string }; shipTo?: Address; shipping?: Address };
}
interface Charge {
  amountCents: number;
  status: string;
  customer: string;
}
interface ShippingRequest {
  status: number | null;
  body: { pharmacyOrderId?: string; kind?: string } | null;
  responseBody: { shipmentId?: string } | null;
}

interface Schedule {
  id: string;
  status: string;
  pausedReason: string | null;
  daysSupply: number;
  nextFillDate: CalendarDay;
}

/** The books of the external services about one patient. */
export interface Books {
  /** Orders at the pharmacies, oldest first, such as `pharmacy_a for Sampleton WA`. */
  orders: string[];
  /** The number of labels of each order. */
  labels: number[];
  chargedCents: number[];
  /** Subjects of the e-mails, oldest first. */
  told: string[];
}

const timeoutMs = 10_000;
const orchestrator = 'orchestrator';

/** The prescription of one patient and its refills: the actions of a story, and its findings. */
export class RefillStage extends Stage {
  readonly found: Finding[] = [];
  private scheduleId = '';

  /** Approves on the real date, which makes the schedule of the refills. */
  async begin(): Promise<Schedule> {
    await setClock(null);
    await this.approve();
    const path = `/orchestrator/refill-schedules?emrPatientId=${this.of.emrPatientId}`;
    const { schedules } = await ask<{ schedules: Schedule[] }>({ service: orchestrator, path });
    const [schedule] = schedules;
    if (!schedule) throw new Error('The approval made no schedule of refills');
    this.scheduleId = schedule.id;
    this.say(`A refill follows on ${schedule.nextFillDate}.`);
    this.say(taskLink(this.dev, refillTaskId(schedule.id)));
    return schedule;
  }

  /** Sets the clock and runs the check for this schedule alone. @param expected a failed step, for example */
  async comeTo(day: CalendarDay, expected: string): Promise<void> {
    await setClock(day);
    const { results } = await ask<{ results: { processed: boolean; reason?: string }[] }>({
      service: orchestrator,
      method: 'POST',
      path: '/orchestrator/refill-check',
      body: JSON.stringify({ scheduleIds: [this.scheduleId] }),
    });
    this.say(`The clock says ${day}, and the day's check runs.`);
    const [result] = results;
    const found = result ? (result.processed ? 'sent' : result.reason) : 'not due';
    this.note([finding('refill of the day', expected, found)]);
  }

  async schedule(): Promise<Schedule> {
    const path = `/orchestrator/refill-schedules/${this.scheduleId}`;
    return (await ask<{ schedule: Schedule }>({ service: orchestrator, path })).schedule;
  }

  /** Changes the next refill. */
  async change(what: 'skip' | 'move' | 'ship-to', body: object): Promise<Schedule> {
    const path = `/orchestrator/refill-schedules/${this.scheduleId}/${what}`;
    const call = { service: orchestrator, method: 'POST', path, body: JSON.stringify(body) } as const;
    return (await ask<{ schedule: Schedule }>(call)).schedule;
  }

  /** Answers the work item of the failed refill as a person would at the desk. */
  async answerFailedRefill(
    reason: string,
    answer: 'try_again' | 'reroute',
    { mend, data }: { mend?: () => Promise<void>; data?: object },
  ): Promise<void> {
    const id = await itemOf('refill_failed', { scheduleId: this.scheduleId });
    const item = await readItem(id);
    this.say(`The desk has: ${item.title}. It offers ${item.answers.join(', ')}.`);
    this.note([finding('why', reason, item.reason)]);
    await mend?.();
    await answerItem(id, answer, data);
    const closed = `closed by ${this.dev.admins.superadmin} with ${answer}`;
    await this.expect(async () => {
      const { state, closedBy, answer } = await readItem(id);
      return [
        finding('work item', closed, `${state} by ${closedBy ?? 'nobody'} with ${answer ?? 'nothing'}`),
      ];
    });
  }

  /** Changes the patient's record in the EMR. */
  async changeRecord(change: (record: Patient) => void): Promise<void> {
    const { baseUrl, token } = this.dev.emr;
    const url = `${baseUrl}/Patient/${this.of.emrPatientId}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' };
    const call = { party: 'EMR', url, headers, timeoutMs };
    const record = parseJson('EMR', expectOk('EMR', await exchange({ ...call, method: 'GET' }))) as Patient;
    change(record);
    expectOk('EMR', await exchange({ ...call, method: 'PUT', body: JSON.stringify(record) }));
  }

  /** Has the EMR send its webhook about the patient, and waits for the schedule to follow. */
  async expectAfterWebhook(expected: string): Promise<void> {
    const resource = { resourceType: 'Patient', id: this.of.emrPatientId };
    await sandbox(this.dev, '/emr/events', { event: 'Patient.updated', resource });
    await this.expect(async () => {
      const { status, pausedReason } = await this.schedule();
      return [finding('schedule', expected, [status, pausedReason ?? []].flat().join(', '))];
    });
  }

  /** Compares the books of pharmacies, shipping service, processor and mailbox, once they match. */
  expectBooks(expected: Books): Promise<void> {
    return this.expect(async () => {
      const found = await this.books();
      return [
        finding('orders', list(expected.orders, 'none'), list(found.orders, 'none')),
        finding('labels of each order', expected.labels.join(', '), found.labels.join(', ')),
        finding('charged', cents(expected.chargedCents), cents(found.chargedCents)),
        // Two messages of one step may arrive in either order.
        finding(
          'patient notified',
          list([...expected.told].sort(), 'nothing'),
          list([...found.told].sort(), 'nothing'),
        ),
      ];
    });
  }

  /** Polls until the findings hold, and prints the last ones. */
  async expect(look: () => Promise<Finding[]>): Promise<void> {
    this.note(await settledFindings(look));
  }

  private note(found: Finding[]): void {
    this.found.push(...found);
    for (const one of found) this.say(line(one));
  }

  private async books(): Promise<Books> {
    const { emrPatientId, email } = this.of;
    const [{ orders }, { requests }, { charges }, mails, profile] = await Promise.all([
      sandbox<{ orders: Order[] }>(this.dev, `/orders?${newest}`),
      sandbox<{ requests: ShippingRequest[] }>(this.dev, `/requests?target=shipping&${newest}`),
      sandbox<{ charges: Charge[] }>(this.dev, `/charges?${newest}`),
      mailsTo(this.dev, email),
      withDatabase((sql) => findPaymentProfile(sql, emrPatientId)),
    ]);
    const own = orders
      .filter(({ body }) => body.patient.email === email)
      .sort((one, other) => one.at.localeCompare(other.at));
    const labelsOf = (orderId: string) =>
      new Set(
        requests
          .filter(
            ({ status, body }) =>
              status === 201 && body?.kind === 'label' && body.pharmacyOrderId === orderId,
          )
          .map(({ responseBody }) => responseBody?.shipmentId),
      ).size;
    return {
      orders: own.map(({ pharmacy, body }) => `${pharmacy} for ${placeOf(body.shipTo ?? body.shipping)}`),
      labels: own.map(({ orderId }) => labelsOf(orderId)),
      chargedCents: charges
        .filter(({ status, customer }) => status === 'succeeded' && customer === profile?.customerId)
        .map(({ amountCents }) => amountCents),
      told: mails.map(({ subject }) => subject),
    };
  }
}

const placeOf = (address: Address | undefined): string =>
  address ? `${address.city} ${address.state}` : 'nowhere';
