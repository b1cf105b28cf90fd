import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { booked } from '../api/orchestrator/exceptions.js';
import { callsTo, chargesOf, ordersUnder } from '../api/orchestrator/approvals.js';
import { rx } from '../cli/rx.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { adminToken, call, callAs, eventually, shared } from '../helpers/client.js';
import { newSuperadmin, signIn } from './desk.js';

interface Item {
  id: string;
  kind: string;
  state: string;
  closedBy: string | null;
  answer: string | null;
  organizationId: string | null;
  references: Record<string, string>;
}

const dev = shared();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const asRoot = async <T>(service: 'worklist' | 'bridge' | 'organization', path: string): Promise<T> =>
  (await callAs<T>(dev, service, await adminToken(dev), { path })).body;
const read = async (id: string) =>
  (await asRoot<{ workItem: Item }>('worklist', `/v1/work-items/${id}`)).workItem;

/** As a person finds it: by its kind, in the list, which has more pages where much waits. */
async function choose(page: Page, { id, kind }: Item): Promise<void> {
  await page.getByLabel('Kind').selectOption(kind);
  const row = page.locator(`#items [data-id="${id}"]`);
  const more = page.getByRole('button', { name: 'More' });
  for (;;) {
    await row.or(more).first().waitFor();
    if ((await row.count()) > 0) break;
    // The list may be complete before the click.
    await more.click({ timeout: 5_000 }).catch(() => undefined);
  }
  await row.click();
  await page.getByText('Opened by system').waitFor();
}

test('an operator clears a morning of faults with the page alone, and each answer is right in the books outside', async () => {
  const made = await rx('demo', '--morning');
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
  const ids = made.stdout.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
  const items = await Promise.all(ids.map(read));
  expect(items.map(({ kind, state }) => [kind, state])).toEqual(
    [
      'emr_sync_failed',
      'domain_unverified',
      'callback_dead',
      'payment_unpaid',
      'pharmacy_hold',
      'pharmacy_hold',
    ].map((kind) => [kind, 'open']),
  );
  const [sync, domain, callback, refill, unclear, generic] = items as [Item, Item, Item, Item, Item, Item];

  const { page, complaints } = await watchedPage(browser, [dev.services.worklist]);
  await page.goto(dev.services.worklist);
  const operator = await newSuperadmin();
  await signIn(dev, page, operator);
  const answer = async (item: Item, button: string, write: () => Promise<void> = async () => undefined) => {
    await choose(page, item);
    await page.getByRole('button', { name: button, exact: true }).click();
    await write();
    await page.getByRole('button', { name: 'Send answer' }).click();
    const sure = page.getByRole('button', { name: `Yes, ${button.toLowerCase()}` });
    // The new address is repeated before it is sent.
    if (['Charge again', 'Change'].includes(button)) await sure.click();
    await page.getByRole('status').getByText('Done.').waitFor();
    await page.getByText(`Closed by ${operator}`).first().waitFor();
  };
  await answer(sync, 'Retry');
  await answer(domain, 'Verify');
  await answer(callback, 'Redeliver');
  await answer(refill, 'Charge again');
  const sig = 'Inject 0.25 mg under the skin once a week';
  await answer(unclear, 'Change', async () => {
    await page.getByLabel('Text to the pharmacy').fill('Once a week, as always.');
    await page.getByLabel('New directions').fill(sig);
    await page.getByText('New shipping address (all fields)').click();
    await page.getByLabel('First name').fill('Nell');
    await page.getByLabel('Last name').fill('Morning');
    await page.getByLabel('Phone').fill('+12025550101');
    await page.getByLabel('Address', { exact: true }).fill('20 Larch Lane');
    await page.getByLabel('City').fill('Sampleton');
    await page.getByLabel('State', { exact: true }).fill('WA');
    await page.getByLabel('ZIP code').fill('98101');
  });
  await answer(generic, 'Proceed');
  expect(complaints).toEqual([]);
  await page.close();

  expect(
    (await Promise.all(ids.map(read))).map(({ state, closedBy, answer }) => [state, closedBy, answer]),
  ).toEqual(
    ['retry', 'verify', 'redeliver', 'charge_again', 'change', 'proceed'].map((word) => [
      'closed',
      operator,
      word,
    ]),
  );

  // The EMR has the patient as archived.
  const { syncAttempt } = await asRoot<{ syncAttempt: { target_resource_id: string } }>(
    'bridge',
    `/emr-sync-attempts/${sync.references['syncAttemptId'] ?? ''}`,
  );
  await eventually(async () => {
    const patient = await fetch(`${dev.emr.baseUrl}/Patient/${syncAttempt.target_resource_id}`, {
      headers: { authorization: `Bearer ${dev.emr.token}` },
    });
    return !((await patient.json()) as { active: boolean }).active;
  });

  // The record was looked up, and the certificate is awaited.
  const { customDomains } = await asRoot<{ customDomains: { hostname: string; state: string }[] }>(
    'organization',
    `/v1/organizations/${domain.organizationId ?? ''}/custom-domains`,
  );
  expect(customDomains).toMatchObject([{ hostname: domain.references['hostname'], state: 'pending_tls' }]);

  // The client has its callback, once.
  const submissionId = callback.references['submissionId'] ?? '';
  const told = () =>
    callsTo(dev, 'crm').then((calls) =>
      calls.filter(({ body }) => JSON.stringify(body).includes(submissionId)),
    );
  await eventually(async () => (await told()).some(({ status }) => status === 200));
  expect((await told()).filter(({ status }) => status !== 503)).toHaveLength(1);
  expect(await ordersUnder(dev, submissionId)).toHaveLength(1);

  // The refill is paid, once.
  const reference = refill.references['reference'] ?? '';
  const charges = await chargesOf(dev, reference);
  expect(charges.filter(({ status }) => status === 'succeeded')).toHaveLength(1);

  // The pharmacies have their answers.
  const answered = async ({ references }: Item) => {
    const [order] = await booked(dev, references['taskId'] ?? '');
    const sent = (await callsTo(dev, 'pharmacy_a')).filter(({ path }) =>
      path.includes(`/orders/${order?.orderId ?? ''}/holds/${references['holdId'] ?? ''}/answer`),
    );
    return { holds: order?.holds, sent: sent.map(({ body }) => body as object) };
  };
  expect(await answered(unclear)).toMatchObject({
    holds: [{ id: 'hold-1', state: 'answered', answer: 'change' }],
    sent: [
      {
        answer: 'change',
        text: 'Once a week, as always.',
        changes: { sig, shipTo: { firstName: 'Nell', line1: '20 Larch Lane' } },
      },
    ],
  });
  expect(await answered(generic)).toMatchObject({
    holds: [{ id: 'hold-2', state: 'answered', answer: 'proceed' }],
    sent: [{ answer: 'proceed' }],
  });
  const { body } = await call<{ amendments: { holdId: string }[] }>(dev, 'router', {
    key: 'orchestrator',
    path: `/rx/prescriptions/${unclear.references['submissionId'] ?? ''}`,
  });
  expect(body.amendments).toMatchObject([{ holdId: 'hold-1', changes: { sig } }]);
});
