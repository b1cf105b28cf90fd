import { beforeAll, expect, test } from '@jest/globals';
import { addDays } from '../../../domain/calendar.js';
import { type DifferenceKind, differenceKinds } from '../../../domain/orchestrator/daily-close.js';
import { adminToken, call, callAs, eventually, sandbox } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { dev, sql, stateDir } from '../faulty-system.js';
import {
  cents,
  ordersOf,
  plantDifferences,
  type Planted,
  plantSound,
  restartParties,
  takeBack,
} from './planted-books.js';

interface Close {
  date: string;
  state: string;
  totals: Record<string, number>;
  matched: number;
  differences: number;
  settled: number;
}
interface Line {
  id: string;
  reference: string;
  kind: DifferenceKind;
  settled: { answer: string } | null;
}
interface Answer {
  close: Close;
  lines: Line[];
  line: Line;
  nextCursor: string | null;
  error: string;
}
const ask = (method: string, rest = '', body?: object) =>
  call<Answer>(dev, 'orchestrator', {
    key: 'admin',
    method,
    path: `/orchestrator/closes${rest}`,
    ...(body && { body }),
  });
/** A close that takes long is asked for again. */
const close = (date: string) =>
  eventually(async () => {
    const { status, body } = await ask('POST', '', { date });
    return status === 200 && body.close;
  });

/** The differences of a close. */
async function differencesOf(date: string): Promise<Line[]> {
  const found: Line[] = [];
  let cursor = '';
  do {
    const { body } = await ask('GET', `/${date}/lines?state=difference&limit=100${cursor}`);
    found.push(...body.lines);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return found;
}
const kindsOf = (lines: readonly Line[]) => new Map(lines.map(({ reference, kind }) => [reference, kind]));

/** What was planted, as the lines of a close name it. */
const plantedKinds = (planted: Planted) =>
  new Map(
    differenceKinds.flatMap((kind) =>
      planted[kind].map(({ id }) => [kind === 'charge_not_ours' ? `ch_${id}` : id, kind] as const),
    ),
  );

/** Where a close is killed: at a page of each source, of lines, and at its end. The `kept` ones are commits. */
const moments = ['order', 'charge', 'refund', 'label', 'payment', 'line', 'lines kept', 'end', 'end kept'];
/** Each moment has its own day, none of which is read late by another. */
const dayOf = (n: number) => `${2010 + n}-03-01`;

/** Holds the closes at their moments while somebody has the locks of these. */
beforeAll(async () => {
  const held = moments.map((moment, n) => `when new.date = '${dayOf(n)}' and what = '${moment}' then ${n}`);
  await sql.unsafe(`
    create function public.hold() returns trigger language plpgsql as $$
    declare
      what text := coalesce(tg_argv[0], to_jsonb(new) ->> 'kind');
      moment int := case ${held.join(' ')} end;
    begin
      if moment is not null then perform pg_advisory_xact_lock_shared(131, moment); end if;
      return new;
    end $$;
    create trigger fact before insert on orchestrator.close_fact for each row execute function public.hold();
    create trigger line before insert on orchestrator.close_line for each row execute function public.hold('line');
    create trigger ending before update on orchestrator.close
      for each row when (new.state = 'closed') execute function public.hold('end');
    create constraint trigger lines_kept after update on orchestrator.close deferrable initially deferred
      for each row when (new.state = 'running') execute function public.hold('lines kept');
    create constraint trigger end_kept after update on orchestrator.close deferrable initially deferred
      for each row when (new.state = 'closed') execute function public.hold('end kept');
  `);
});

/** Runs closes until each is held at its moment, and kills their workers. */
const killAtMoments = (begin: () => Promise<Close>[]) =>
  sql.begin(async (locking) => {
    await locking`select pg_advisory_xact_lock(131, n) from generate_series(0, ${moments.length - 1}) n`;
    const closes = begin();
    await eventually(async () => {
      const held = await sql`
        select distinct objid from pg_locks where locktype = 'advisory' and classid = 131 and not granted
      `;
      return held.length === moments.length;
    });
    process.kill(dev.pids.workers, 'SIGKILL');
    return { closes };
  });

test('A close whose workers are killed at any of its pages ends as any other, and never changes (D131)', async () => {
  // Lines have a second page.
  const matchedOf = (n: number) => (moments[n]!.startsWith('line') ? 205 : 5);
  const planted: Planted[] = [];
  for (const [n] of moments.entries()) {
    await plantSound(ordersOf(dayOf(n), matchedOf(n)));
    planted.push(await plantDifferences(dayOf(n), 1));
  }
  await restartParties();
  const { closes } = await killAtMoments(() => moments.map((_moment, n) => close(dayOf(n))));

  const closed = await Promise.all(closes);
  for (const [n, one] of closed.entries()) {
    const matched = matchedOf(n);
    const charges = matched + 8;
    expect(one).toEqual({
      date: dayOf(n),
      state: 'closed',
      totals: {
        orders: matched + 8,
        charges,
        chargedCents: charges * cents + 1,
        refundedCents: 800,
        labels: matched + 9,
      },
      matched,
      explained: 0,
      differences: differenceKinds.length,
      settled: 0,
    });
    expect(kindsOf(await differencesOf(one.date))).toEqual(plantedKinds(planted[n]!));
  }
  const kept = await sql`
    select date, count(*)::int as lines, (
      select count(*)::int from orchestrator.work_item where kind = 'close_differences' and fact = date::text
    ) as items from orchestrator.close_line where date = any(${sql.array(closed.map(({ date }) => date))}::date[])
    group by date order by date
  `;
  const lines = (n: number) => matchedOf(n) + differenceKinds.length;
  expect(kept).toEqual(closed.map(({ date }, n) => ({ date, lines: lines(n), items: 1 })));

  const [first] = closed;
  const customer = await saveCard(dev, await newPatient(dev, 'NY'));
  const late = await sandbox<{ charge: { id: string } }>(dev, '/stripe/charges', {
    method: 'POST',
    body: { customer, amountCents: 1_234, at: `${dayOf(0)}T18:00:00Z` },
  });
  expect(await close(dayOf(0))).toEqual(first);
  const nextDay = addDays(dayOf(0), 1);
  await close(nextDay);
  expect(kindsOf(await differencesOf(nextDay))).toEqual(new Map([[late.charge.id, 'charge_not_ours']]));
});

test('The planted differences of each kind alone are found among 3,000 lines, and settled once they are taken back (D132)', async () => {
  const [date, matched, several] = ['2021-03-01', 3_000, 6];
  await plantSound(ordersOf(date, matched));
  const planted = await plantDifferences(date, several);
  await restartParties();
  const closed = await close(date);
  const lines = await differencesOf(date);
  expect(kindsOf(lines)).toEqual(plantedKinds(planted));
  expect([closed.matched, closed.differences]).toEqual([matched, several * differenceKinds.length]);

  const recheckOneOfEach = () =>
    Promise.all(
      differenceKinds.map(async (kind) => {
        const { id = '' } = lines.find((line) => line.kind === kind) ?? {};
        const path = `/${date}/lines/${id}/settle`;
        // All of them ask the same services at once: one may be told to ask again.
        const { status, body } = await eventually(async () => {
          const answer = await ask('POST', path, { answer: 'recheck' });
          return answer.status !== 503 && answer;
        });
        return [status, body.error, body.line.kind, body.line.settled?.answer];
      }),
    );
  expect(await recheckOneOfEach()).toEqual(
    differenceKinds.map((kind) => [409, 'Still different', kind, undefined]),
  );
  await takeBack(planted);
  await restartParties();
  expect(await recheckOneOfEach()).toEqual(differenceKinds.map((kind) => [200, undefined, kind, 'recheck']));

  const token = await adminToken(dev, {}, stateDir);
  type Items = { workItems: { id: string; references: { date: string } }[] };
  const { body } = await callAs<Items>(dev, 'worklist', token, {
    path: '/v1/work-items?kind=close_differences&state=open&limit=200',
  });
  const { id = '' } = body.workItems.find(({ references }) => references.date === date) ?? {};
  await eventually(async () => {
    const path = `/v1/work-items/${id}/answer`;
    await callAs(dev, 'worklist', token, { method: 'POST', path, body: { answer: 'recheck' } });
    return (await ask('GET', `/${date}`)).body.close.settled === closed.differences;
  });
  expect(await sql`select state from orchestrator.work_item where id = ${id}`).toEqual([{ state: 'closed' }]);
  expect((await ask('GET', `/${date}`)).body.close).toEqual({ ...closed, settled: closed.differences });
});
