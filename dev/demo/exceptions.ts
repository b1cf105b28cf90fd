import { randomUUID } from 'node:crypto';
import { approvalLink } from '../../cli/system.js';
import type { DevJson } from '../dev-json.js';
import { line } from './judge.js';
import { newPatient } from './new-patient.js';
import { play, type Played, showPlayed } from './playing.js';
import { Stage } from './stage.js';
import { type Story, stories } from './stories.js';

/**
 * `rx demo --exceptions`: runs six prescriptions that fail in different ways, concurrently because one waits half a
 * minute. Then it checks the records of all services.
 */
export const showExceptions = (dev: DevJson): Promise<void> =>
  showPlayed(
    stories.map((story) => tell(dev, story)),
    { Orders: 'orders', Charged: 'charged', Refunded: 'refunded', Notified: 'patient notified' },
  );

const tell = (dev: DevJson, story: Story): Promise<Played> =>
  play(story.title, async (say) => {
    const taskId = `exception-${randomUUID()}`;
    const patient = await newPatient(dev, story);
    const stage = new Stage(dev, { taskId, ...patient }, say);
    await story.play(stage);
    const found = await stage.check(story.expected);
    for (const one of found) say(line(one));
    say(approvalLink(dev, taskId));
    return found;
  });
