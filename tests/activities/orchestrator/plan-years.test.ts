import { expect, test } from '@jest/globals';
import { shared } from '../../helpers/client.js';
import { livePlans } from '../../models/plan-years.js';

const { databaseUrl } = shared();

test('some plans of random phases live a year as the model says; long/plan-years has more', async () => {
  const { plans, orders } = await livePlans(databaseUrl, 12);
  expect(plans).toBe(12);
  expect(orders).toBeGreaterThan(40);
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
