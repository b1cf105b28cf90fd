import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { call } from '../../tests/helpers/client.js';

export interface CloseLine {
  date: string;
  reference: string;
  state: string;
  kind: string | null;
  because: string | null;
}
/** What the product says of a campaign's days. */
export interface Closed {
  lines: CloseLine[];
  totals: { orders: number; charges: number; chargedCents: number; refundedCents: number; labels: number };
}
interface Answer {
  close: { state: string; totals: Closed['totals'] };
  lines: Omit<CloseLine, 'date'>[];
  nextCursor: string | null;
  today: string;
}

const dayMs = 86_400_000;
const shifted = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const ask = async (dev: DevJson, method: string, path: string, body?: object): Promise<Answer> => {
  const request = { key: 'admin', method, path: `/orchestrator/${path}`, ...(body && { body }) };
  const answer = await call<Answer>(dev, 'orchestrator', request);
  if (answer.status > 202) throw new Error(`${path} was answered ${answer.status}`);
  return answer.body;
};

/** The day that the product calls today. */
export const today = async (dev: DevJson): Promise<string> => (await ask(dev, 'GET', 'clock')).today;

/** Closes the days from one until today, as if they were over. */
export async function closeDays(dev: DevJson, from: string): Promise<Closed> {
  const until = await today(dev);
  const closed: Closed = {
    lines: [],
    totals: { orders: 0, charges: 0, chargedCents: 0, refundedCents: 0, labels: 0 },
  };
  await ask(dev, 'PUT', 'clock', { today: shifted(until, 1) });
  for (let date = from; date <= until; date = shifted(date, 1)) {
    for (;;) {
      const { close } = await ask(dev, 'POST', 'closes', { date });
      if (close.state !== 'closed') {
        await pause(500);
        continue;
      }
      for (const name of Object.keys(closed.totals) as (keyof Closed['totals'])[])
        closed.totals[name] += close.totals[name];
      break;
    }
    let cursor = '';
    do {
      const page = await ask(dev, 'GET', `closes/${date}/lines?limit=200${cursor}`);
      closed.lines.push(...page.lines.map((line) => ({ ...line, date })));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
  }
  await ask(dev, 'PUT', 'clock', { today: null });
  return closed;
}
