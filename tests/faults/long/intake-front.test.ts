import { expect, test } from '@jest/globals';
import { newIntake, postIntake } from '../../api/intake/intakes.js';
import { stripe } from '../../helpers/patients.js';
import { codeSentTo, freshAddress, mailsTo, visit } from '../../api/intake/visitors.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { dev, sql, temporal } from '../faulty-system.js';

const send = (email: string) => visit(dev, '/verify-email/send', { email });
const sent = [200, { success: true, message: 'Verification code sent' }];

test('a code whose mail hangs is answered all the same, and sent on once mail goes out again', async () => {
  const email = freshAddress();
  await setFault(dev, { target: 'smtp', kind: 'hang' });
  const { status, body } = await send(email);
  expect([status, body]).toEqual(sent);
  expect(await mailsTo(dev, email)).toEqual([]);

  await clearFaults(dev);
  const code = await codeSentTo(dev, email);
  const { body: verdict } = await visit(dev, '/verify-email/check', { email, code });
  expect(verdict).toMatchObject({ verified: true });
});

test('a code that no channel could deliver is sent on, once', async () => {
  const email = freshAddress();
  // One more than the notification service tries by itself.
  await setFault(dev, { target: 'smtp', kind: 'status', status: 451, times: 4 });
  expect((await send(email)).status).toBe(200);
  await faultsMet(dev);
  await codeSentTo(dev, email);
  expect(await mailsTo(dev, email)).toHaveLength(1);
});

test('a code replaced while its mail could not be sent never arrives', async () => {
  const email = freshAddress();
  await setFault(dev, { target: 'smtp', kind: 'status', status: 451 });
  await send(email);
  const [first] = await sql<{ id: string }[]>`
    select id from intake.verification_code order by issued_at desc limit 1
  `;
  await send(email);
  await clearFaults(dev);
  const code = await codeSentTo(dev, email);
  expect(await temporal.client.workflow.getHandle(`verification-code:${first?.id}`).result()).toBe(
    'obsolete',
  );
  expect(await mailsTo(dev, email)).toHaveLength(1);
  expect((await visit(dev, '/verify-email/check', { email, code })).body).toMatchObject({
    verified: true,
  });
});

/** A card as a browser saves it: by a session of its own, which belongs to no customer. */
async function savedInBrowser(): Promise<{ paymentMethodId: string; setupIntentId: string }> {
  const { body } = await visit<{ setupIntentId: string }>(dev, '/payment-intent', {});
  const setup = await stripe(dev, `setup_intents/${body.setupIntentId}/confirm`, {
    payment_method: 'pm_card_visa',
  });
  const { payment_method: paymentMethodId } = setup as unknown as { payment_method: string };
  return { paymentMethodId, setupIntentId: body.setupIntentId };
}

test.each([
  ['customers.create', 'a test card', async () => ({ paymentMethodId: 'pm_card_visa' })],
  ['customers.create', 'a real card', savedInBrowser],
  ['paymentMethods.attach', 'a test card', async () => ({ paymentMethodId: 'pm_card_visa' })],
  ['paymentMethods.attach', 'a real card', savedInBrowser],
])(
  'lost answers of the processor to %s for %s: 500 and nothing stored, then one customer with one card',
  async (operation, _name, newCard) => {
    const intake = await newIntake(dev);
    const { submissionId } = (await postIntake(dev, intake)).body;
    const named = await newCard();
    const save = () => visit(dev, '/save-payment-info', { submissionId, ...named });
    const cards = () => sql<{ cardId: string | null; named: string | null }[]>`
      select card_id, data ->> 'paymentMethodId' as named from intake.submission where id = ${submissionId}
    `;
    // The first call and the one that is made again at once.
    await setFault(dev, { target: 'stripe', operation, kind: 'lost-answer', times: 2 });
    const { status, body } = await save();
    expect([status, body]).toEqual([500, { error: 'Failed to save payment info' }]);
    expect([...(await cards())]).toEqual([{ cardId: null, named: null }]);

    expect((await save()).status).toBe(200);
    const [card] = await cards();
    const customers = await fetch(
      `${dev.stripe.apiBase}/v1/customers?email=${encodeURIComponent(intake.email)}`,
      {
        headers: { authorization: `Bearer ${dev.stripe.secretKey}` },
      },
    );
    expect(((await customers.json()) as { data: unknown[] }).data).toHaveLength(1);
    expect(card?.cardId).toMatch(/^pm_/);
  },
);
