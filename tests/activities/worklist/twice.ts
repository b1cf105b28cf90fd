import { randomUUID } from 'node:crypto';
import { claimAnswer, findItem, historyOf, takeItem } from '../../../db/worklist/items.js';
import { openWorkItem } from '../../../db/work-items.js';
import type { WorkItemDetail } from '../../../domain/work-items.js';
import type { worklistActivities } from '../../../workers/worklist/activities.js';
import { eventually } from '../../helpers/client.js';
import { eventOf, sessionEvents } from '../events.js';
import { db } from '../real-parts.js';
import { consuming, type Entries, type Entry } from '../twice.js';

const by = 'ada@clinic.test';

const detail = (id: string = randomUUID()): WorkItemDetail => ({
  id,
  kind: 'domain_unverified',
  reason: 'no_record',
  title: 'A custom domain was not verified',
  references: { hostname: 'care.example.com' },
  organizationId: null,
  answers: ['verify', 'dismiss'],
  workflowId: null,
  openedAt: '2026-01-01T00:00:00.000Z',
  dueAt: '2026-01-02T00:00:00.000Z',
  closedAt: null,
  closedBy: null,
  answer: null,
});

/** An item of the organization service, as the worklist has heard of it. */
async function answered() {
  const fact = randomUUID();
  await db.begin((sql) =>
    openWorkItem(sql, 'organization', {
      kind: 'domain_unverified',
      fact,
      reason: 'no_record',
      references: { hostname: fact },
    }),
  );
  const [item] = await eventually(async () => {
    const found = await db<
      { id: string }[]
    >`select id from worklist.work_item where refers_to ->> 'hostname' = ${fact}`;
    return found.length > 0 && found;
  });
  const itemId = item!.id;
  await claimAnswer(db, itemId, { answer: 'dismiss', by, note: null, changed: [] });
  return { itemId, answer: 'dismiss', by };
}
const stateOf = async (itemId: string) => {
  const item = await findItem(db, 'all', itemId);
  const history = await historyOf(db, itemId);
  return { state: item?.state, closedBy: item?.closedBy, history: history.map(({ action }) => action) };
};

const activities: Entries<ReturnType<typeof worklistActivities>> = {
  handAnswer: async () => {
    const given = await answered();
    return {
      input: { ...given, source: 'organization', note: null, data: {} },
      answers: { state: 'done', reason: null },
      seen: () =>
        eventually(async () => {
          const state = await stateOf(given.itemId);
          return state.state === 'closed' && state;
        }),
      once: { state: 'closed', closedBy: by, history: ['opened', 'answered', 'closed'] },
    };
  },
  recordAnswer: async () => {
    const given = await answered();
    return {
      input: { ...given, refusal: 'It is closed' },
      seen: () => stateOf(given.itemId),
      once: { state: 'open', closedBy: null, history: ['opened', 'answered', 'refused'] },
    };
  },
};

export const worklist: Record<string, Entry> = {
  ...activities,
  ...consuming('worklist', {
    'work_item.opened': async () => {
      const item = detail();
      return {
        event: eventOf('organization', 'work_item.opened', item),
        seen: () => stateOf(item.id),
        once: { state: 'open', closedBy: null, history: ['opened'] },
      };
    },
    'work_item.closed': async () => {
      const item = detail();
      await takeItem(db, { eventId: randomUUID(), source: 'organization', item });
      const closed = { ...item, closedAt: '2026-01-01T01:00:00.000Z', closedBy: 'system' };
      return {
        event: eventOf('organization', 'work_item.closed', closed),
        seen: () => stateOf(item.id),
        once: { state: 'closed', closedBy: 'system', history: ['opened', 'closed'] },
      };
    },
    ...sessionEvents('worklist'),
  }),
};
