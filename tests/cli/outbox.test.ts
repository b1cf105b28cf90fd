import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { eventually, sandbox, shared } from '../helpers/client.js';
import { rx } from './rx.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

/**
 * An entry of the router of that time, given up then, or shipped: yesterday, since what was shipped long ago is past
 * its age (D94). Its consumers need no signal.
 */
async function entry(at: { deadAt: string } | { shippedAt: string }): Promise<string> {
  const { deadAt, shippedAt } = { deadAt: null, shippedAt: null, ...at };
  const [row] = await sql<{ id: string }[]>`
    insert into router.outbox (source, detail_type, aggregate_id, detail, attempts, last_error, time, dead_at, shipped_at)
    values (
      'router', 'callback.queued', ${randomUUID()}, '{}', 20, 'Error: away', ${shippedAt ?? new Date()}, ${deadAt},
      case when ${shippedAt !== null} then now() - interval '1 day' end
    )
    returning id
  `;
  return row!.id;
}
const shippedLately = async (id: string): Promise<boolean> => {
  const [row] = await sql<{ lately: boolean | null }[]>`
    select shipped_at > now() - interval '1 hour' as lately from router.outbox where id = ${id}
  `;
  return row!.lately === true;
};

describe('rx outbox redrive', () => {
  test('ships what happened within the window again, and leaves what was before and after it', async () => {
    const before = await entry({ shippedAt: '2001-03-01T09:59:59Z' });
    const within = [
      await entry({ shippedAt: '2001-03-01T10:00:00Z' }),
      await entry({ shippedAt: '2001-03-01T11:00:00Z' }),
    ];
    const after = await entry({ shippedAt: '2001-03-01T11:00:01Z' });
    const window = ['--from', '2001-03-01T10:00Z', '--to', '2001-03-01T12:00+01:00'];

    const { stdout } = await rx('outbox', 'redrive', 'router', ...window);
    expect(stdout).toBe('Resending events of router: 2.\n');
    for (const id of within) await eventually(() => shippedLately(id));
    expect([await shippedLately(before), await shippedLately(after)]).toEqual([false, false]);
  });

  test('with --dead ships what was given up within the window, and nothing else', async () => {
    const delivered = await entry({ shippedAt: '2001-01-01T10:30:00Z' });
    const before = await entry({ deadAt: '2001-01-01T09:59:59Z' });
    const within = [
      await entry({ deadAt: '2001-01-01T10:00:00Z' }),
      await entry({ deadAt: '2001-01-01T11:00:00Z' }),
    ];
    const after = await entry({ deadAt: '2001-01-01T11:00:01Z' });
    const window = ['--from', '2001-01-01T10:00Z', '--to', '2001-01-01T12:00+01:00', '--dead'];

    expect(await rx('outbox', 'redrive', 'router', ...window)).toEqual({
      exitCode: 0,
      stdout: 'Resending dead events of router: 2.\n',
      stderr: '',
    });
    for (const id of within) await eventually(() => shippedLately(id));
    for (const id of [delivered, before, after]) expect(await shippedLately(id)).toBe(false);

    const again = await rx('outbox', 'redrive', 'router', ...window);
    expect(again.stdout).toBe('Resending dead events of router: 0.\n');
  });

  test('delivers to the outside what its sink had refused for good', async () => {
    const aggregateId = randomUUID();
    const [event] = await sql<{ id: string; sequence: string }[]>`
      insert into patients.outbox (source, detail_type, aggregate_id, detail, shipped_at)
      values ('patients', 'patient.updated', ${aggregateId}, '{}', '2001-02-01T10:00:00Z') returning id, sequence
    `;
    const { id, sequence } = event!;
    await sql`
      insert into patients.event_delivery (event_id, consumer, aggregate_id, sequence, state, attempts, settled_at)
      values (${id}, 'sink', ${aggregateId}, ${sequence}, 'dead', 7, '2001-02-01T10:30:00Z')
    `;
    const window = ['--from', '2001-02-01T10:00Z', '--to', '2001-02-01T11:00Z', '--dead'];
    const { stdout } = await rx('outbox', 'redrive', 'patients', ...window);
    expect(stdout).toBe('Resending dead events of patients: 1.\n');
    const received = await eventually(async () => {
      const { events } = await sandbox<{ events: { event: { id: string } }[] }>(dev, '/events');
      return events.find((entry) => entry.event.id === id);
    });
    expect(received).toMatchObject({ event: { specversion: '1.0', type: 'patient.updated' } });
  });

  test.each([
    [
      'a service without an outbox',
      ['registry', '--from', '2001-01-01T10:00Z'],
      'Allowed choices are router',
    ],
    ['no window', ['router'], "required option '--from <time>' not specified"],
    ['a time without a zone', ['router', '--from', '2001-01-01T10:00'], 'Give a time with its zone'],
    [
      'a window that ends before it begins',
      ['router', '--from', '2001-01-02T10:00Z', '--to', '2001-01-01T10:00Z'],
      '--to is before --from.',
    ],
  ])('refuses %s', async (_name, args, complaint) => {
    const { exitCode, stderr } = await rx('outbox', 'redrive', ...args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(complaint)]);
  });
});
