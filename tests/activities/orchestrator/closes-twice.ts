import type { CloseActivities } from '../../../activities/orchestrator/daily-close.js';
import { db } from '../real-parts.js';
import type { Entries } from '../twice.js';

/** A day of long ago that nothing else closes. */
const freshDay = () =>
  new Date(Date.UTC(1903, 0, 1 + Math.floor(Math.random() * 15_000))).toISOString().slice(0, 10);

const opened = async () => {
  const date = freshDay();
  await db`insert into orchestrator.close (date) values (${date})`;
  return date;
};
const charged = async () => {
  const date = await opened();
  await db`
    insert into orchestrator.close_fact (kind, id, date, reference, cents, at)
    values ('charge', ${`ch_${date}`}, ${date}, ${`ch_${date}`}, 100, now())
  `;
  return date;
};

/** The entries of the daily close. */
export const closes: Entries<CloseActivities> = {
  // The run began a day late.
  dayToClose: async () => ({ input: { scheduled: '2026-03-05T12:00:00.000Z' }, answers: '2026-03-04' }),
  openClose: async () => {
    const date = freshDay();
    return {
      input: { date },
      answers: [{ from: date, to: date }],
      seen: () => db`select state from orchestrator.close where date = ${date}`,
      once: [{ state: 'running' }],
    };
  },
  readPages: async () => {
    const date = await opened();
    const at = `${date}T18:00:00Z`;
    await db`
      insert into orchestrator.payment (task_id, emr_patient_id, amount_cents, status, paid_at)
      values (${`close-${date}`}, ${`p-${date}`}, 100, 'succeeded', ${at})
    `;
    return {
      input: { date, days: { from: date, to: date }, source: 'own' as const, cursor: null },
      answers: null,
      seen: () => db`select kind, cents from orchestrator.close_fact where date = ${date}`,
      once: [{ kind: 'payment', cents: 100 }],
    };
  },
  matchPage: async () => {
    const date = await charged();
    return {
      input: { date },
      answers: true,
      thenAnswers: false,
      seen: () => db`select kind from orchestrator.close_line where date = ${date}`,
      once: [{ kind: 'charge_not_ours' }],
    };
  },
  finishClose: async () => {
    const date = await charged();
    return {
      input: { date },
      seen: () => db`select state, charges from orchestrator.close where date = ${date}`,
      once: [{ state: 'closed', charges: 1 }],
    };
  },
};
