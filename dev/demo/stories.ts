import { ask } from '../../cli/lists.js';
import type { Ending, Stage } from './stage.js';
import { sandbox, until } from './outside.js';

/** A prescription that meets a problem, and its expected end. */
export interface Story {
  title: string;
  /** The patient's state, which decides the pharmacy. */
  state: 'WA' | 'TX';
  card: string;
  play: (stage: Stage) => Promise<void>;
  expected: Ending;
}

const visa = 'pm_card_visa';
const refused = 'Your payment did not go through';
const price = 29_900;
const approved = 'Your prescription was approved';
const plain: Ending = {
  orders: ['pharmacy_a received'],
  router: ['pharmacy_a submitted'],
  runs: ['completed'],
  chargedCents: [price],
  refundedCents: [],
  told: [approved],
  workItems: [],
};
const ordinary = { state: 'WA', card: visa } as const;

interface Cancelled {
  cancellation: { state: string; reason: string | null; refundedCents: number };
}

export const stories: readonly Story[] = [
  {
    ...ordinary,
    title: 'The pharmacy asks, and is answered',
    play: async (stage) => {
      await stage.approve();
      const hold = { id: 'hold-1', code: 'clarify-rx', message: 'Once a day or once a week?' };
      await stage.atPharmacy('hold', hold);
      stage.say(`The pharmacy asks: ${hold.message}`);
      const answer = { answer: 'change', changes: { sig: 'Inject 0.25 mg under the skin once a week' } };
      await stage.router(`/holds/${hold.id}/answer`, answer);
      const [order] = await stage.orders();
      stage.say(`It has our answer: ${order?.holds[0]?.answer ?? 'none'}`);
      await stage.atPharmacy('release', { id: hold.id });
      await until('the router knows that the pharmacy continues', async () => {
        const { holds } = await stage.router<{ holds: { state: string }[] }>();
        return holds.every(({ state }) => state === 'released') || null;
      });
      stage.say('It continues.');
    },
    expected: { ...plain, workItems: ['pharmacy_hold closed by system'] },
  },
  {
    ...ordinary,
    title: 'Taken back before it ships',
    play: async (stage) => {
      await stage.approve();
      await takeBack(stage);
    },
    expected: {
      ...plain,
      orders: ['pharmacy_a cancelled'],
      router: ['pharmacy_a cancelled'],
      refundedCents: [price],
      told: [approved, 'Your order was canceled'],
    },
  },
  {
    ...ordinary,
    title: 'Taken back too late',
    play: async (stage) => {
      await stage.approve();
      await stage.atPharmacy('status', { status: 'shipped', trackingNumber: '1Z999AA10123456784' });
      stage.say('The pharmacy has shipped it.');
      await takeBack(stage);
    },
    expected: {
      ...plain,
      orders: ['pharmacy_a shipped'],
      router: ['pharmacy_a shipped'],
      told: [approved, 'Your first order has shipped'],
    },
  },
  {
    ...ordinary,
    title: 'Moved to another pharmacy',
    play: async (stage) => {
      await stage.approve();
      const moved = await stage.request<{ submissionId: string; pharmacy: string; reference: string }>(
        'reroute',
        { pharmacy: 'pharmacy_c' },
      );
      stage.ordered(moved.submissionId);
      stage.say(`${moved.pharmacy} has it as #${moved.reference.split('#')[1] ?? ''}.`);
    },
    expected: {
      ...plain,
      // pharmacy_c receives its orders through pharmacy_a's system.
      orders: ['pharmacy_a cancelled', 'pharmacy_a received'],
      router: ['pharmacy_a cancelled', 'pharmacy_c submitted'],
    },
  },
  {
    state: 'WA',
    card: 'pm_card_chargeCustomerFail',
    title: 'The card is declined, another one pays',
    play: async (stage) => {
      await stage.approve();
      const { text } = await stage.mail(refused);
      const token = /\/pay\?token=([\w.-]+)/.exec(text)?.[1];
      if (token === undefined) throw new Error('The mail has no link to pay by');
      stage.say('The mail has a link to pay by.');
      const { paid } = await ask<{ paid: boolean }>({
        service: 'intake',
        method: 'POST',
        path: '/pay',
        body: JSON.stringify({ token, paymentMethodId: visa }),
      });
      stage.say(`Another card there: ${paid ? 'paid' : 'not paid'}.`);
    },
    expected: { ...plain, runs: ['completed payment_failed paid since'], told: [approved, refused] },
  },
  {
    state: 'TX',
    card: visa,
    title: 'The pharmacy took it, its answers were lost',
    play: async (stage) => {
      const lost = { target: 'pharmacy_b', operation: 'order', kind: 'lost-answer', times: answersLost };
      await sandbox(stage.dev, '/faults', lost);
      await stage.approve();
      stage.say('Nobody knows whether the pharmacy has it. It is asked 15 s later.');
      const carriedOn = await until('the task continues and ends', async () => {
        const run = (await stage.runs())[1];
        return run?.status === 'completed' ? run : null;
      });
      stage.ordered(carriedOn.result?.submissionId);
      stage.say('It has it, so the task continues by itself.');
    },
    expected: {
      ...plain,
      orders: ['pharmacy_b received'],
      router: ['pharmacy_b submitted'],
      runs: ['failed', 'completed'],
    },
  },
];

/** Attempts at one order. */
const answersLost = 3;

async function takeBack(stage: Stage): Promise<void> {
  const { cancellation } = await stage.request<Cancelled>('cancel', { reason: 'No longer needed' });
  const { state, reason, refundedCents } = cancellation;
  stage.say(
    `Asked for it back: ${state}${reason === null ? '' : `, ${reason}`}; $${(refundedCents / 100).toFixed(2)} refunded.`,
  );
}
