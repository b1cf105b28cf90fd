import type { DevJson } from '../../dev/dev-json.js';
import { signedHeaders } from '../../platform/crypto/signature.js';
import { endedRun, runsOf } from '../../tests/api/orchestrator/approvals.js';
import { atPharmacy, type BookedOrder, reroute } from '../../tests/api/orchestrator/exceptions.js';
import {
  checkRefills,
  dayFromToday,
  type Schedule,
  schedulesAt,
} from '../../tests/api/orchestrator/refills.js';
import type { Replacement } from '../../tests/api/orchestrator/replacements.js';
import { adminToken, call, callAs, sandbox } from '../../tests/helpers/client.js';
import { changeInEmr } from '../../tests/helpers/patients.js';
import { learn, repeated, until } from './client.js';
import type { PlannedStory } from './plan.js';
import { referencesOf } from './records.js';
import type { Case, Place } from './stories.js';

/** A story after its preparation. */
export interface Told {
  place: Place;
  known: Case;
  story: PlannedStory;
  /** Sets the story's faults for the next callers. */
  meetFaults: () => Promise<void>;
}

/** A refill fails for want of a route. The clinic corrects the patient's state, and a person tries the refill again. */
export async function mend({ place, known, story: { state }, meetFaults }: Told, id: string): Promise<void> {
  const { dev } = place;
  const taskId = `refill-${id}`;
  await until(known, async () => {
    await repeated(known, () => checkRefills(dev, { scheduleIds: [id] }));
    return endedRun(dev, taskId);
  });
  const failed = { taskId, kind: 'refill_failed' };
  await until(known, async () => (await openItems(place, failed)).length > 0);
  await until(known, async () => {
    await changeInEmr(dev, known.patient, (record) => void (record.address![0]!.state = state));
    return true;
  });
  known.asked = true;
  await meetFaults();
  await until(known, async () => {
    await answerItem(place, await openItems(place, failed), 'try_again');
    await askAgain(place, known);
    return (await endedRun(dev, taskId))?.status === 'completed';
  });
  await learn(dev, known);
}

/** A refill that is due later goes to another state, is skipped once, and is then moved to today. */
export async function sendElsewhere({ place, known, meetFaults }: Told, id: string): Promise<void> {
  const { dev } = place;
  const { addressLine1, state } = known.shipTo;
  const shipTo = { addressLine1, city: 'Sampleton', state, zip: '77002' };
  await sameRequest(dev, known, `${id}/ship-to`, { shipTo });
  const skipped = await sameRequest(dev, known, `${id}/skip`, { reason: 'Travelling' });
  if (skipped.skipped !== 1) known.unequal += 1;
  known.asked = true;
  await meetFaults();
  await sameRequest(dev, known, `${id}/move`, { nextFillDate: dayFromToday(0) });
  await until(known, async () => {
    await repeated(known, () => checkRefills(dev, { scheduleIds: [id] }));
    return endedRun(dev, `refill-${id}`);
  });
  await learn(dev, known);
}

/** A shipped order is lost on its way, and is replaced once, however often that is asked. */
export async function replaceOnce({ place, known, story, meetFaults }: Told): Promise<void> {
  const { dev } = place;
  const { reference: taskId } = known;
  const order = await firstOrder(dev, known);
  // In NY the parcel has our label.
  const ship = (one: BookedOrder) =>
    move(dev, known, one, story.state === 'NY' ? {} : { trackingNumber: `1Z${one.orderId}`, carrier: 'UPS' });
  await ship(order);
  known.asked = true;
  await meetFaults();
  const body = { taskId, reason: 'lost', paidBy: known.isPatients ? 'patient' : 'carrier' };
  const replace = () =>
    call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/replacements', body });
  const ask = () =>
    until(known, async () => {
      await repeated(known, replace);
      await askAgain(place, known);
      const [run] = (await runsOf(dev, taskId)) as unknown as { replacements: Replacement[] }[];
      return run?.replacements.at(-1)?.state === 'ordered';
    });
  await Promise.all(Array.from({ length: story.atOnce }, ask));
  for (const one of await until(known, async () => laterOrders(dev, known))) await ship(one);
}

/** The pharmacy loses an accepted order. A person orders it again, there or at the other pharmacy. */
export async function orderAgain({ place, known, story, meetFaults }: Told): Promise<void> {
  const { dev } = place;
  const { reference: taskId, submissionId } = known;
  const order = await firstOrder(dev, known);
  await until(known, async () => (await atPharmacy(dev, order, 'forget', {}), true));
  known.asked = true;
  await meetFaults();
  const report = () =>
    call<{ found: boolean | null }>(dev, 'router', {
      key: 'orchestrator',
      method: 'POST',
      path: `/rx/prescriptions/${submissionId}/missing`,
    });
  const pharmacy = story.state === 'TX' ? 'pharmacy_a' : 'pharmacy_b';
  const ask = async () => {
    if (story.isOther) await repeated(known, () => reroute(dev, { taskId, pharmacy }));
    else {
      await repeated(known, report);
      const items = await openItems(place, { taskId, kind: 'order_missing' });
      await answerItem(place, items, 'order_again');
    }
    await askAgain(place, known);
  };
  const askUntilOrdered = () =>
    until(known, async () => {
      if ((await laterOrders(dev, known)).length > 0) return true;
      await ask();
      return false;
    });
  await Promise.all(Array.from({ length: story.atOnce }, askUntilOrdered));
}

/** The pharmacy sends an order in two parcels, and tells of each twice. */
export async function moreParcels({ place, known, meetFaults }: Told): Promise<void> {
  const { dev } = place;
  const order = await firstOrder(dev, known);
  known.parcels = [`1Z1${order.orderId}`, `1Z2${order.orderId}`];
  known.asked = true;
  await meetFaults();
  const [first, second] = known.parcels.map((trackingNumber) => ({ trackingNumber, carrier: 'UPS' }));
  for (const parcel of [first!, first!, second!, first!, second!]) await move(dev, known, order, parcel);
}

/** Ships an order, and repeats the pharmacy's webhook until it is accepted. */
const move = (dev: DevJson, known: Case, order: BookedOrder, parcel: object) =>
  until(known, async () => {
    const { status } = await atPharmacy(dev, order, 'status', { status: 'shipped', ...parcel });
    return typeof status === 'number' && status < 500;
  });

const allOrders = async (dev: DevJson) =>
  (await sandbox<{ orders: BookedOrder[] }>(dev, '/orders?limit=1000000')).orders;
const isUnder = ({ body }: BookedOrder, submissionIds: readonly unknown[]) =>
  submissionIds.includes(body['externalId']) || submissionIds.includes(body['reference']);
const firstOrder = (dev: DevJson, known: Case) =>
  until(known, async () => (await allOrders(dev)).find((order) => isUnder(order, [known.submissionId])));
const laterOrders = async (dev: DevJson, { later }: Case) => {
  const ids = later.map(({ submissionId }) => submissionId);
  return (await allOrders(dev)).filter((order) => isUnder(order, ids));
};

/** Changes a schedule; repeats carry the bytes of the first request, so they count once (D91). */
async function sameRequest(dev: DevJson, known: Case, path: string, body: object): Promise<Schedule> {
  const { key, secret } = dev.apiKeys['approvals']!;
  const text = JSON.stringify(body);
  const headers = signedHeaders({ keyId: key, secret }, text);
  const send = () => schedulesAt(dev, `/${path}`, { method: 'POST', body: text, headers });
  return (await repeated(known, send)).body.schedule;
}

interface Asked {
  taskId?: string;
  kind: string;
}
interface Item {
  id: string;
  references: Record<string, string>;
}

async function openItems({ dev, stateDir }: Place, asked: Asked): Promise<Item[]> {
  const path = `/v1/work-items?${new URLSearchParams({ ...asked, state: 'open' }).toString()}`;
  const token = await adminToken(dev, {}, stateDir);
  return (await callAs<{ workItems: Item[] }>(dev, 'worklist', token, { path })).body.workItems;
}

/** Answers the first open work item, if there is one. */
async function answerItem(place: Place, [item]: readonly Item[], answer: string): Promise<void> {
  if (item === undefined) return;
  const token = await adminToken(place.dev, {}, place.stateDir);
  await callAs(place.dev, 'worklist', token, {
    method: 'POST',
    path: `/v1/work-items/${item.id}/answer`,
    body: { answer },
  });
}

/** A pharmacy that was away for long is asked again about the orders of a case (D114). */
async function askAgain(place: Place, known: Case): Promise<void> {
  const ids = referencesOf(known).map(({ submissionId }) => submissionId);
  const items = await openItems(place, { kind: 'order_unknown' });
  const own = items.filter(({ references }) => ids.includes(references['submissionId'] ?? ''));
  await answerItem(place, own, 'ask_again');
}
