import { randomUUID } from 'node:crypto';
import { lockSealedSecrets, putSealedSecrets } from '../../db/access/api-keys.js';
import type { Sql } from '../../db/client.js';
import { markFailed } from '../../db/outbox.js';
import { dropIntent } from '../../db/patients/creations.js';
import { restOfIntake } from './rest/intake.js';
import { emptyLists } from './rest/lists.js';
import { restOfOrchestrator } from './rest/orchestrator.js';
import { restOfOrganization } from './rest/organization.js';
import { restOfRouter } from './rest/router.js';

/** A connection makes plans for any value from the sixth time on. */
const times = 7;

/** Statements that no test of the parts comes to, and lists by what none or few of their rows are. */
export async function playRest(sql: Sql): Promise<void> {
  for (let time = 0; time < times; time += 1) await Promise.all([...unreached(sql), ...emptyLists(sql)]);
}

/** Some of them only tests carry out, by connections of their own, whose plans are not looked at. */
const unreached = (sql: Sql): Promise<unknown>[] => [
  sql.begin(async (sql) => {
    for (const key of await lockSealedSecrets(sql)) await putSealedSecrets(sql, key);
  }),
  markFailed(sql, 'router', randomUUID(), 'test'),
  dropIntent(sql, randomUUID()),
  ...restOfIntake(sql),
  ...restOfOrchestrator(sql),
  ...restOfOrganization(sql),
  ...restOfRouter(sql),
];
