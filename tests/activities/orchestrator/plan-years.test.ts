import { expect, test } from '@jest/globals';
import { shared } from '../../helpers/client.js';
import { livePlans } from '../../models/plan-years.js';

const { databaseUrl } = shared();

test('200 plans of random phases send no fill past a closed gate, none twice, one a day at most, and lose none in a year', async () => {
  const { plans, orders, acts } = await livePlans(databaseUrl, 200);
  expect(plans).toBe(200);
  expect(orders).toBeGreaterThan(800);
  // Each thing was done, and often enough to mean something.
  for (const [act, times] of Object.entries(acts)) expect([act, times > 10]).toEqual([act, true]);
});

test('the control: a plan whose gate is not checked is found', async () => {
  // A gate asks nothing before the first fill.
  const unchecked = livePlans(databaseUrl, 20, (sql) =>
    sql.unsafe(`
      create function orchestrator.ungate() returns trigger language plpgsql as
        $$ begin new.had_first := false; new.is_cancelled := false; return new; end $$;
      create trigger ungates before insert or update on orchestrator.plan
        for each row execute function orchestrator.ungate();
    `),
  );
  await expect(unchecked).rejects.toThrow(/past its gate: (check_in|decision|renewal)/);
});
