import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChannelResult, notificationStatus } from '../../../domain/notification/notification.js';
import {
  type ChannelName,
  channelNames,
  healthDataFlags,
  planDeliveries,
  previewOf,
  type Recipient,
  type WebhookChannel,
} from '../../../domain/notification/notification-channels.js';
import {
  healthVariables,
  isNotificationType,
  missingVariables,
  notificationTypes,
  requiredVariables,
} from '../../../domain/notification/notification-types.js';
import { isPhoneNumber, toDialable } from '../../../domain/phone-number.js';

const template = {
  emailSubject: 'For {{name}}',
  emailHtml: '<p>{{name}}</p>',
  emailText: 'Hello {{name}}',
  smsBody: 'Hi {{name}}',
};
const everybody: Recipient = { email: 'ada@example.test', phone: '212-555-0100', name: 'Ada' };
const plan = (
  names: ChannelName[],
  {
    recipient = everybody,
    parts = {},
    name = 'O<K',
    webhooks = ['chat', 'crm'],
  }: { recipient?: Recipient; parts?: object; name?: string; webhooks?: WebhookChannel[] } = {},
) =>
  planDeliveries(names, {
    type: 'welcome',
    recipient,
    template: { ...template, ...parts },
    variables: { name },
    webhooks,
  });

describe('notification types', () => {
  it('are the 47 of the page and the two of the orchestrator', () => {
    expect(notificationTypes).toHaveLength(49);
    expect(requiredVariables.prescription_approved).toEqual(['patientName', 'medication', 'pharmacyName']);
    expect(requiredVariables.prescription_denied).toEqual(['patientName', 'reason']);
  });

  it('are known by their own names only', () => {
    expect(isNotificationType('otp')).toBe(true);
    expect(isNotificationType('toString')).toBe(false);
    expect(isNotificationType('OTP')).toBe(false);
  });

  it('miss the required variables that are left out or null, not those that are empty or false', () => {
    expect(missingVariables('order_edited', { patientName: null, change: '' })).toEqual([
      'patientName',
      'orderNumber',
    ]);
    expect(missingVariables('otp', { code: 0 })).toEqual([]);
  });

  it('miss a required variable that is given without a text: an object, or a list without a plain value', () => {
    const given = { patientName: { first: 'Ada' }, orderNumber: ['7', {}], change: [{}] };
    expect(missingVariables('order_edited', given)).toEqual(['patientName', 'change']);
    expect(missingVariables('information_changed', { patientName: 'Ada', changedFields: [] })).toEqual([
      'changedFields',
    ]);
  });
});

describe('planning the deliveries of a notification', () => {
  it('escapes the HTML part of an e-mail and nothing else', () => {
    expect(plan(['email'])).toEqual([
      {
        channel: 'email',
        email: {
          to: { address: 'ada@example.test', name: 'Ada' },
          subject: 'For O<K',
          html: '<p>O&lt;K</p>',
          text: 'Hello O<K',
        },
      },
    ]);
  });

  it('keeps line breaks out of the headers of an e-mail', () => {
    const [delivery] = plan(['email'], {
      recipient: { ...everybody, name: 'Ada\r\nBcc: evil@example.test' },
      name: 'x\r\nBcc: evil@example.test',
    });
    expect(delivery).toMatchObject({
      email: { to: { name: 'Ada Bcc: evil@example.test' }, subject: 'For x Bcc: evil@example.test' },
    });
  });

  it('puts raw text into a text message and dials the number', () => {
    expect(plan(['sms'])).toEqual([{ channel: 'sms', sms: { to: '+12125550100', body: 'Hi O<K' } }]);
  });

  it('skips a channel without an address', () => {
    expect(plan(['email', 'sms'], { recipient: { phone: '2125550100' } })).toMatchObject([
      { channel: 'email', skip: 'no e-mail address' },
      { channel: 'sms', sms: {} },
    ]);
    expect(plan(['sms'], { recipient: { email: 'a@example.test' } })).toEqual([
      { channel: 'sms', skip: 'no phone number' },
    ]);
  });

  it('skips a channel whose template is empty; an e-mail needs only one of its two bodies', () => {
    expect(plan(['sms'], { parts: { smsBody: '' } })).toEqual([{ channel: 'sms', skip: 'empty template' }]);
    expect(plan(['email'], { parts: { emailHtml: '', emailText: '' } })).toEqual([
      { channel: 'email', skip: 'empty template' },
    ]);
    expect(plan(['email'], { parts: { emailHtml: '' } })).toMatchObject([{ email: { html: '' } }]);
  });

  it('posts subject and text to the chat, where no value can give the room a command', () => {
    expect(plan(['chat'], { name: '<!channel> & co' })).toEqual([
      {
        channel: 'chat',
        chat: {
          text: 'For &lt;!channel&gt; &amp; co\n\nHello &lt;!channel&gt; &amp; co',
        },
      },
    ]);
  });

  it('tells the CRM the type, the addresses it was given, subject and text', () => {
    expect(plan(['crm'])).toEqual([
      {
        channel: 'crm',
        crm: {
          type: 'welcome',
          email: 'ada@example.test',
          phone: '+12125550100',
          name: 'Ada',
          subject: 'For O<K',
          text: 'Hello O<K',
        },
      },
    ]);
    const [delivery] = plan(['crm'], { recipient: { email: 'a@example.test' } });
    expect(delivery).toEqual({
      channel: 'crm',
      crm: { type: 'welcome', email: 'a@example.test', subject: 'For O<K', text: 'Hello O<K' },
    });
  });

  it('skips chat and crm where they are not configured, or the text they are made of is empty', () => {
    expect(plan(['chat', 'crm'], { webhooks: ['crm'] })).toMatchObject([
      { channel: 'chat', skip: 'not configured' },
      { channel: 'crm', crm: {} },
    ]);
    expect(plan(['chat', 'crm'], { parts: { emailText: '' } })).toEqual([
      { channel: 'chat', skip: 'empty template' },
      { channel: 'crm', skip: 'empty template' },
    ]);
  });

  it('gives every channel one plan of its own, whatever is put in', () => {
    const text = fc.string({ unit: 'binary' });
    const names = fc.array(fc.constantFrom(...channelNames));
    fc.assert(
      fc.property(names, text, text, (asked, name, emailText) => {
        const planned = plan(asked, { name, parts: { emailText } });
        expect(planned.map(({ channel }) => channel)).toEqual([...new Set(asked)]);
      }),
    );
  });

  it('skips push as not implemented', () => {
    expect(plan(['push'])).toEqual([{ channel: 'push', skip: 'not implemented' }]);
  });

  it('refuses a message too long to be kept', () => {
    expect(plan(['email'], { name: 'x'.repeat(500_000) })).toMatchObject([
      { refuse: 'The message is too long' },
    ]);
  });

  it('refuses the channels whose messages would make the result larger than Temporal takes', () => {
    const planned = plan(['push', 'email', 'crm', 'sms', 'chat'], { name: '薬'.repeat(160_000) });
    expect(planned).toMatchObject([
      { skip: 'not implemented' },
      { email: {} },
      { channel: 'crm', refuse: 'The message is too long' },
      { channel: 'sms', refuse: 'The message is too long' },
      { channel: 'chat', refuse: 'The message is too long' },
    ]);
    const characters = fc.constantFrom('x', '薬', '\u0001', '\ud800', '"', '&');
    fc.assert(
      fc.property(characters, fc.integer({ min: 1, max: 500_000 }), (character, count) => {
        const result = plan(['email', 'sms', 'crm', 'chat'], { name: character.repeat(count) });
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(1_502_000);
      }),
      { numRuns: 20 },
    );
  });

  it('plans a channel once however often it is named, and nothing when none is', () => {
    expect(plan(['push', 'push'])).toHaveLength(1);
    expect(plan([])).toEqual([]);
  });
});

describe('a preview', () => {
  it('shows every part as it would be sent', () => {
    expect(previewOf(template, { name: 'O<K' })).toEqual({
      emailSubject: 'For O<K',
      emailHtml: '<p>O&lt;K</p>',
      emailText: 'Hello O<K',
      smsBody: 'Hi O<K',
    });
  });

  it('is none of what is too long to be sent', () => {
    expect(previewOf(template, { name: 'x'.repeat(400_000) })).toBeUndefined();
  });

  it('flags the channels but e-mail that would tell health data, CRM and chat where they are enabled', () => {
    const all = { crm: true, chat: true };
    expect(healthDataFlags(template, all)).toEqual([]);
    const telling = { ...template, smsBody: 'Take {{dosingLine}} of {{ medication.name }}, {{medication}}' };
    expect(healthDataFlags(telling, { crm: false, chat: false })).toEqual([
      { channel: 'sms', variables: ['dosingLine', 'medication'] },
    ]);
    const byEmail = { ...template, emailSubject: '{{reason}}', emailHtml: '{{change}}' };
    expect(healthDataFlags(byEmail, all)).toEqual([
      { channel: 'crm', variables: ['reason'] },
      { channel: 'chat', variables: ['reason'] },
    ]);
    expect(healthDataFlags(byEmail, { crm: false, chat: true })).toEqual([
      { channel: 'chat', variables: ['reason'] },
    ]);
    expect(healthDataFlags(byEmail, { crm: false, chat: false })).toEqual([]);
  });

  it('knows health data only by names that templates count on, by the sentence made of one, and by a receipt’s items', () => {
    const named = new Set<string>([
      ...Object.values(requiredVariables).flat(),
      'intakeTypeSentence',
      'items',
    ]);
    expect([...healthVariables].filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('the sentence about the intake type', () => {
  const parts = {
    emailSubject: '',
    emailHtml: '<p>Go on.{{intakeTypeSentence}}</p>',
    emailText: 'Go on.{{intakeTypeSentence}}',
    smsBody: '',
  };

  it.each([
    ['glp-1', 'GLP-1'],
    ['nad', 'NAD+'],
    ['micro', 'microdose'],
    ['microdose', 'microdose'],
    ['Micro', 'microdose'],
    ['sleep', 'sleep'],
  ])('says %s in plain words: %s', (intakeType, words) => {
    const sentence = `Go on. This is about your ${words} intake.`;
    const variables = { intakeType };
    expect(previewOf(parts, variables)).toMatchObject({
      emailHtml: `<p>${sentence}</p>`,
      emailText: sentence,
    });
    expect(
      planDeliveries(['email'], {
        type: 'magic_link',
        recipient: everybody,
        template: parts,
        variables,
        webhooks: [],
      }),
    ).toMatchObject([{ email: { html: `<p>${sentence}</p>`, text: sentence } }]);
  });

  it.each([[{}], [{ intakeType: '' }], [{ intakeType: ' ' }], [{ intakeType: null }], [{ intakeType: {} }]])(
    'is left out where there is none: %j',
    (variables) => {
      expect(previewOf(parts, { ...variables, intakeTypeSentence: 'ours' })).toMatchObject({
        emailHtml: '<p>Go on.</p>',
        emailText: 'Go on.',
      });
    },
  );

  it('is health data in a text message, as the type itself', () => {
    expect(healthDataFlags({ ...parts, smsBody: parts.emailText }, { crm: false, chat: false })).toEqual([
      { channel: 'sms', variables: ['intakeTypeSentence'] },
    ]);
  });
});

describe('the status of a notification', () => {
  const results = (...statuses: ChannelResult['status'][]): ChannelResult[] =>
    statuses.map((status) => ({ channel: 'email', status }));

  it('is sent when none failed, also when none was tried', () => {
    expect(notificationStatus([])).toBe('sent');
    expect(notificationStatus(results('skipped'))).toBe('sent');
    expect(notificationStatus(results('sent', 'skipped'))).toBe('sent');
  });

  it('is partial when some failed, failed when all that were tried did', () => {
    expect(notificationStatus(results('sent', 'failed'))).toBe('partial');
    expect(notificationStatus(results('failed', 'skipped'))).toBe('failed');
  });
});

describe('phone numbers', () => {
  it.each(['+12125550100', '2125550100', '(212) 555-0100', '1-212-555-0100', '+44 20 7946 0958', '5550100'])(
    'takes %s',
    (text) => expect(isPhoneNumber(text)).toBe(true),
  );

  it.each([
    '',
    '12345',
    'call me',
    '+1 212 555 0100 x5',
    '1234567890123456',
    '21255501\r\n00',
    '555+0100000',
    `${' '.repeat(41)}5550100`,
  ])('refuses %j', (text) => expect(isPhoneNumber(text)).toBe(false));

  it('dials American numbers with their country code and others as written', () => {
    expect(toDialable('(212) 555-0100')).toBe('+12125550100');
    expect(toDialable('1 212 555 0100')).toBe('+12125550100');
    expect(toDialable('+44 20 7946 0958')).toBe('+442079460958');
    expect(toDialable('555-0100')).toBe('5550100');
  });
});
