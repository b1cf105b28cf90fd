import { describe, expect, it } from '@jest/globals';
import { all, ending, refusing, sending, sendNotification } from '../../replay/cases/send-notification.js';
import { failingFirst, outage } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run, testCases } = useRuns('sendNotification');

const down = { sendEmail: outage, sendSms: outage, sendChat: outage, sendCrm: outage };
const allDown = ending(
  'each has three attempts of its own',
  'failed',
  all().map(({ channel }) => ({ channel, status: 'failed', error: 'The other side answered 503' })),
  { times: { sendEmail: 3, sendSms: 3, sendChat: 3, sendCrm: 3 } },
);

describe('a notification', () => {
  testCases(sendNotification);
  testCases({
    'e-mail refuses': refusing('email', 'sendEmail'),
    'SMS refuses': refusing('sms', 'sendSms'),
    'chat refuses': refusing('chat', 'sendChat'),
    'CRM refuses': refusing('crm', 'sendCrm'),
    'all channels down': sending(allDown, all(), down),
    'third attempt': sending(
      {
        behavior: 'it is delivered while the others were done at the first',
        result: { status: 'sent' },
        times: { sendEmail: 3, sendSms: 1, sendChat: 1, sendCrm: 1 },
      },
      all(),
      { sendEmail: failingFirst(2, async () => ({ providerMessageId: 'mail' })) },
    ),
    'no channel': sending(ending('it is a success', 'sent', []), []),
    'database down': sending(
      {
        behavior: 'it waits for its log entry, and sends once',
        result: { status: 'sent' },
        times: { sendEmail: 1, finishNotification: 21 },
      },
      all(),
      {
        prepareNotification: failingFirst(20, async () => ({ deliveries: all() })),
        finishNotification: failingFirst(20, async () => undefined),
      },
    ),
  });

  it('that no channel takes is over within some ten seconds', async () => {
    const { tookMs } = await run(sending(allDown, all(), down));
    expect(await tookMs()).toBeLessThan(11_000);
  });
});
