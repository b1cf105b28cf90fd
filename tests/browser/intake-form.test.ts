import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { compiledSources } from '../../dev/compile.js';
import { createSql, type Sql } from '../../db/client.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import { adminToken, eventually, shared } from '../helpers/client.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { approve, callsTo, chargesOf, semaglutideFor } from '../api/orchestrator/approvals.js';
import { newIntake, storedSubmission } from '../api/intake/intakes.js';
import { codeSentTo, freshAddress, mailsTo } from '../api/intake/visitors.js';

const dev = shared();
const gateway = dev.services.intake;
const form = readFileSync(new URL('../../api/intake/form.html', import.meta.url), 'utf8');
const allowedElsewhere = dev.intakeOrigins.find((origin) => new URL(origin).port !== new URL(gateway).port)!;

let browser: Browser;
let sql: Sql;
const servers: Server[] = [];
/** A site at an origin that the gateway lists. */
let listed: string;
beforeAll(async () => {
  browser = await openBrowser();
  listed = await siteWithTheForm(Number(new URL(allowedElsewhere).port));
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await sql.end();
  await browser.close();
});

/** Another site that has a copy of the form, and the client's package. @returns its origin */
async function siteWithTheForm(port: number): Promise<string> {
  const client = join(await compiledSources(), 'clients/typescript/src');
  const server = createServer(({ url = '/' }, response) => {
    if (url.endsWith('.js'))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(client, url)));
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(form);
  });
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

interface Choice {
  plan: string;
  coupon?: string;
  card: string;
}

/** A person's way through the form. @returns the submission's id */
async function fillIn(page: Page, { plan, coupon, card }: Choice): Promise<string> {
  await page.getByLabel(plan).check();
  await page.getByRole('button', { name: 'Continue with this plan' }).click();

  const email = freshAddress();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByText('Verification code sent.').waitFor();
  const code = await codeSentTo(dev, email);
  await page.getByLabel('Six-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole('button', { name: 'Check the code' }).click();
  await page.getByText('Your e-mail is confirmed.').waitFor();

  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Test');
  await page.getByLabel('Date of birth').fill('1984-02-29');
  await page.getByLabel('Gender').selectOption('female');
  await page.getByLabel('Phone').fill('+1 202 555 0101');
  await page.getByLabel('State of residence').fill('WA');
  await page.getByLabel('Street').fill('18 Larch Lane');
  await page.getByLabel('City').fill('Sampleton');
  await page.getByLabel('ZIP code').fill('98101');
  await page.getByRole('button', { name: 'Continue to the card' }).click();

  if (coupon !== undefined) {
    await page.getByLabel('Coupon code').fill(coupon);
    await page.getByRole('button', { name: 'Apply the coupon' }).click();
    await page.getByText('Coupon applied').waitFor();
  }
  await page.getByLabel('Test card').selectOption({ label: card });
  await page.getByRole('button', { name: 'Submit the intake' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  return page.locator('#reference').innerText();
}

test('a person walks from plan to saved card on another site whose origin is allowed', async () => {
  const site = listed;
  expect(dev.intakeOrigins).toContain(site);
  const { page, complaints } = await watchedPage(browser, [site, gateway]);
  await page.goto(`${site}/?api=${gateway}`);
  const id = await fillIn(page, { plan: 'GLP-1', card: 'Visa that pays' });
  expect(await storedSubmission(dev, await adminToken(dev), id)).toMatchObject({
    intake_type: 'glp-1',
    status: 'submitted',
    data: {
      dob: '02-29-1984',
      paymentMethodId: 'pm_card_visa',
      setupIntentId: expect.stringMatching(/^seti_/),
    },
  });
  expect(complaints).toEqual([]);
  await page.close();
});

test('a person who guessed codes all day is told to try again tomorrow', async () => {
  const { page } = await watchedPage(browser, [gateway]);
  const json = { verified: false, error: 'rate_limited' };
  await page.route('**/verify-email/check', (route) => route.fulfill({ json }));
  await page.goto(gateway);
  await page.getByLabel('GLP-1').check();
  await page.getByRole('button', { name: 'Continue with this plan' }).click();
  await page.getByLabel('E-mail').fill(freshAddress());
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByLabel('Six-digit code').fill('000000');
  await page.getByRole('button', { name: 'Check the code' }).click();
  await page.getByText('Please ask for a new one. If that fails too, try again tomorrow.').waitFor();
  await page.close();
});

test("a page takes an intake with the client's package alone", async () => {
  const { page, complaints } = await watchedPage(browser, [listed, gateway]);
  await page.goto(`${listed}/?api=${gateway}`);
  const intake = await newIntake(dev);
  const told = await page.evaluate(
    `import('/index.js').then(async ({ ServiceClient }) => {
      const client = new ServiceClient('intake', { baseUrl: ${JSON.stringify(gateway)} });
      const { plans } = (await client.call('GET', '/plans')).body;
      const body = ${JSON.stringify(intake)};
      const planToken = plans.find(({ intakeType }) => intakeType === body.intakeType).token;
      const taken = await client.call('POST', '/submit', { body: { ...body, planToken } });
      return [taken.status, taken.body.submissionId];
    })`,
  );
  const [status, submissionId] = told as [number, string];
  expect(status).toBe(200);
  const token = await adminToken(dev);
  expect(await storedSubmission(dev, token, submissionId)).toMatchObject({ email: intake.email });
  expect(complaints).toEqual([]);
  await page.close();
});

test('a site whose origin is not allowed gets nothing out of the gateway', async () => {
  const site = await siteWithTheForm(0);
  const { page } = await watchedPage(browser, [site, gateway]);
  await page.goto(`${site}/?api=${gateway}`);
  await page.getByText('The intake service cannot be reached from here.').waitFor();
  expect(await page.getByRole('radio').count()).toBe(0);

  const email = freshAddress();
  const send = (contentType: string) =>
    page.evaluate(
      async ([url, body, contentType]) => {
        const request = { method: 'POST', headers: { 'content-type': contentType }, body };
        return fetch(url, request).then(
          () => 'answered',
          () => 'refused',
        );
      },
      [`${gateway}/verify-email/send`, JSON.stringify({ email }), contentType] as const,
    );
  // With a preflight, and as a request that needs none.
  expect([await send('application/json'), await send('text/plain')]).toEqual(['refused', 'refused']);
  expect(await mailsTo(dev, email)).toEqual([]);
  await page.close();
});

test("a person's intake from plan to saved card, then an approval charges that card with the coupon taken off", async () => {
  const { page, complaints } = await watchedPage(browser, [gateway]);
  await page.goto(gateway);
  const id = await fillIn(page, { plan: 'NAD+', coupon: 'WELCOME25', card: 'Mastercard that pays' });
  expect(complaints).toEqual([]);
  await page.close();

  const { emr_patient_id: emrPatientId } = await storedSubmission(dev, await adminToken(dev), id);
  const profile = await eventually(() => findPaymentProfile(sql, String(emrPatientId)));
  expect(profile).toMatchObject({ couponId: 'WELCOME25', amountCents: 19_900 });

  const approval = { ...semaglutideFor(String(emrPatientId)), medication: 'nad' };
  const { status, body } = await approve(dev, approval);
  expect([status, body.result.warnings]).toEqual([200, []]);
  expect(await chargesOf(dev, approval.taskId)).toMatchObject([
    { amountCents: 14_925, customer: profile.customerId, status: 'succeeded' },
  ]);
  const asked = (await callsTo(dev, 'stripe')).find(
    ({ headers }) => headers['idempotency-key'] === `charge:${approval.taskId}:1`,
  );
  expect(asked?.body['payment_method']).toBe(profile.paymentMethodId);
});

test('a card that the bank refuses is told, and another one finishes the same intake', async () => {
  const { page } = await watchedPage(browser, [gateway]);
  await page.goto(gateway);
  const filling = fillIn(page, { plan: 'Microdose', card: 'Card that cannot be saved' });
  await page.getByText('Failed to save payment info').waitFor();
  await page.getByLabel('Test card').selectOption({ label: 'Visa that pays' });
  await page.getByRole('button', { name: 'Submit the intake' }).click();
  const { email, data } = await storedSubmission(dev, await adminToken(dev), await filling);
  expect(data).toMatchObject({ paymentMethodId: 'pm_card_visa' });
  expect(await sql`select 1 from intake.submission where email = ${email}`).toHaveLength(1);
  await page.close();
});
