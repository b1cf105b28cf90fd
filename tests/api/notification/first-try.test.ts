import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tryFirst } from '../../../api/notification/first-try.js';
import { createSql, type Sql } from '../../../db/client.js';
import type { MailClient } from '../../../integrations/smtp/client.js';
import type { SmsClient } from '../../../integrations/twilio/client.js';
import { createLogger } from '../../../platform/logger.js';
import { dev } from './notification.js';

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

test('a channel that fails by a fault of ours keeps no other from being waited for, whose text a run would repeat', async () => {
  const mail = { send: () => Promise.reject(new TypeError('no such property')) } as unknown as MailClient;
  const sms = {
    send: async () => {
      await sql`select 1`;
      return { sid: 'SM1' };
    },
  } as unknown as SmsClient;
  const channels = { mail, mailDomain: 'example.test', sms, webhooks: [] };
  const trackingNumber = randomUUID();
  const tried = await tryFirst(
    { sql, logger: createLogger({ level: 'silent' }), channels },
    {
      logId: randomUUID(),
      clientId: 'test',
      bodyHash: randomUUID(),
      type: 'delivered',
      recipient: { email: `${trackingNumber}@example.test`, phone: '2125550100' },
      variables: { patientName: 'Ada', medication: 'Semaglutide', trackingNumber },
      channels: ['email', 'sms'],
    },
  );
  const settled = [{ channel: 'sms', status: 'sent', providerMessageId: 'SM1' }];
  expect(tried).toEqual({ isMade: true, state: 'open', finished: settled });
});
