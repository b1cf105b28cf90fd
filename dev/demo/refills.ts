import { randomUUID } from 'node:crypto';
import { setClock } from '../../cli/clock.js';
import type { DevJson } from '../dev-json.js';
import { lostParcel } from './lost-parcel.js';
import { newPatient } from './new-patient.js';
import { play, type Played, showPlayed } from './playing.js';
import { RefillStage } from './refill-stage.js';
import { type RefillStory, refillStories } from './refill-stories.js';

const card = 'pm_card_visa';

/**
 * `rx demo --refills`: refills that do not go to plan, in the months to come. It sets the development clock (D146) and
 * checks its own schedules only. At its end, however that comes, the real date counts again.
 */
export async function showRefills(dev: DevJson): Promise<void> {
  const endClock = async () => {
    const { today, isReal } = await setClock(null);
    return `Today is ${today} again, ${isReal ? '' : 'and NOT '}the real date.`;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endClock().finally(() => process.exit(1)));

  const playing: Promise<Played>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  for (const story of refillStories) {
    const played = before.then(() => tell(dev, story));
    playing.push(played);
    before = played;
  }
  const clockEnded = before.then(endClock);
  // A failure shows once it is awaited.
  clockEnded.catch(() => undefined);
  // It comes last, because it kills a process that the others need.
  const lost = clockEnded.then(() => tell(dev, lostParcel));
  await showPlayed([...playing, lost], {
    Orders: 'orders',
    Labels: 'labels of each order',
    Charged: 'charged',
    Notified: 'patient notified',
  });
  console.log(await clockEnded);
}

const tell = (dev: DevJson, story: RefillStory): Promise<Played> =>
  play(story.title, async (say) => {
    const taskId = `refills-${randomUUID()}`;
    const patient = await newPatient(dev, { state: story.state, card });
    const stage = new RefillStage(dev, { taskId, ...patient }, say);
    await story.play(stage);
    return stage.found;
  });
