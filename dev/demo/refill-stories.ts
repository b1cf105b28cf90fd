import { addDays } from '../../domain/calendar.js';
import type { RefillStage } from './refill-stage.js';

/** A prescription with refills, and what happens to one of them. It checks as it goes. */
export interface RefillStory {
  title: string;
  /** The patient's state, which decides the pharmacy. */
  state: 'WA' | 'NY';
  play: (stage: RefillStage) => Promise<void>;
}

const price = 29_900;
const approved = 'Your prescription was approved';
const home = 'pharmacy_a for Sampleton WA';
/** The books after this many orders to the patient's home, each with one charge and one message. */
const atHome = (count: number) => ({
  orders: times(count, home),
  // pharmacy_a makes its own labels.
  labels: times(count, 0),
  chargedCents: times(count, price),
  told: times(count, approved),
});
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** They set the clock, so they run one after the other. */
export const refillStories: readonly RefillStory[] = [
  {
    title: 'A refill fails for an incomplete record, which a person completes',
    state: 'WA',
    play: async (stage) => {
      const { nextFillDate } = await stage.begin();
      let birthDate: string | undefined;
      await stage.changeRecord((record) => {
        ({ birthDate } = record);
        delete record.birthDate;
      });
      stage.say('Somebody deletes the birth date in the EMR.');
      await stage.comeTo(nextFillDate, 'patient_details');
      await stage.expectBooks(atHome(1));
      await stage.answerFailedRefill('patient_details', 'try_again', {
        mend: async () => {
          await stage.changeRecord((record) => Object.assign(record, { birthDate }));
          stage.say('A coordinator enters the birth date again, and tries the refill again.');
        },
      });
      await stage.expectBooks(atHome(2));
    },
  },
  {
    title: 'A patient moves to a state without a route, and a person names a pharmacy',
    state: 'WA',
    play: async (stage) => {
      const { nextFillDate } = await stage.begin();
      await stage.changeRecord((record) => {
        for (const address of record.address ?? [])
          Object.assign(address, { state: 'CA', postalCode: '95814' });
      });
      stage.say('The patient moves to California, which no pharmacy serves.');
      await stage.comeTo(nextFillDate, 'pharmacy_submission');
      await stage.answerFailedRefill('pharmacy_submission', 'reroute', {
        mend: async () => stage.say('A coordinator reroutes the refill to pharmacy_b.'),
        data: { pharmacy: 'pharmacy_b' },
      });
      await stage.expectBooks({ ...atHome(2), orders: [home, 'pharmacy_b for Sampleton CA'] });
    },
  },
  {
    title: 'A patient leaves, is not charged, and returns',
    state: 'WA',
    play: async (stage) => {
      const { nextFillDate } = await stage.begin();
      await stage.changeRecord((record) => void (record.active = false));
      stage.say('The clinic makes the patient inactive in the EMR, which sends its webhook.');
      await stage.expectAfterWebhook('paused, patient_inactive');
      await stage.comeTo(nextFillDate, 'not due');
      await stage.expectBooks(atHome(1));
      await stage.changeRecord((record) => void (record.active = true));
      stage.say('The patient returns, and the EMR sends its webhook.');
      await stage.expectAfterWebhook('active');
      await stage.comeTo(nextFillDate, 'sent');
      await stage.expectBooks(atHome(2));
    },
  },
  {
    title: 'A refill is skipped, the next one moved and sent elsewhere',
    state: 'WA',
    play: async (stage) => {
      const begun = await stage.begin();
      const skipped = await stage.change('skip', { reason: 'Enough left' });
      stage.say(`The patient has enough left and skips it: the next one is due on ${skipped.nextFillDate}.`);
      await stage.comeTo(begun.nextFillDate, 'not due');
      const moved = await stage.change('move', { nextFillDate: addDays(skipped.nextFillDate, 5) });
      stage.say(`The patient travels, and moves that one to ${moved.nextFillDate}.`);
      await stage.comeTo(skipped.nextFillDate, 'not due');
      await stage.expectBooks(atHome(1));
      const houston = { addressLine1: '2 Oak Street', city: 'Houston', state: 'TX', zip: '77002' };
      await stage.change('ship-to', { shipTo: houston });
      stage.say('It goes to a hotel in Houston, Texas, where pharmacy_b serves.');
      await stage.comeTo(moved.nextFillDate, 'sent');
      const away = 'pharmacy_b for Houston TX';
      await stage.expectBooks({ ...atHome(2), orders: [home, away] });
      stage.say('The one after it goes home again.');
      await stage.comeTo((await stage.schedule()).nextFillDate, 'sent');
      await stage.expectBooks({ ...atHome(3), orders: [home, away, home] });
    },
  },
];
