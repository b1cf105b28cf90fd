import { randomUUID } from 'node:crypto';
import { lockSealedSecrets, putSealedSecrets } from '../../db/access/api-keys.js';
import type { Sql } from '../../db/client.js';
import { appendToOutbox, claimEntries, markFailed } from '../../db/outbox.js';
import { dropIntent } from '../../db/patients/creations.js';
import { restOfIntake } from './rest/intake.js';
import { emptyLists } from './rest/lists.js';
import { restOfOrchestrator } from './rest/orchestrator.js';
import { restOfOrganization } from './rest/organization.js';
import { restOfRouter } from './rest/router.js';

/** A connection may use a generic plan from the sixth execution on. */
const times = 7;

/** Runs statements that the tests of the parts do not reach, and lists with selective filters. */
export async function playRest(sql: Sql): Promise<void> {
  for (let time = 0; time < times; time += 1) await Promise.all([...unreached(sql), ...emptyLists(sql)]);
}

/** Tests run some of these on their own connections, whose plans are not logged. */
const unreached = (sql: Sql): Promise<unknown>[] => [
  sql.begin(async (sql) => {
    for (const key of await lockSealedSecrets(sql)) await putSealedSecrets(sql, key);
  }),
  claimBacklog(sql),
  markFailed(sql, 'router', randomUUID(), 'test'),
  dropIntent(sql, randomUUID()),
  ...restOfIntake(sql),
  ...restOfOrchestrator(sql),
  ...restOfOrganization(sql),
  ...restOfRouter(sql),
];

const taken = new Error('taken back');

/** Claims from a backlog that the table's statistics do not know. */
const claimBacklog = (sql: Sql): Promise<unknown> =>
  sql
    .begin(async (sql) => {
      for (let entry = 0; entry < 64; entry += 1)
        await appendToOutbox(sql, 'router', { detailType: 'test', aggregateId: randomUUID(), detail: {} });
      await claimEntries(sql, 'router', 64);
      throw taken;
    })
    .catch((error: unknown) => {
      if (error !== taken) throw error;
    });
