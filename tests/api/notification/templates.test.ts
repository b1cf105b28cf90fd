import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { notificationTypes, requiredVariables } from '../../../domain/notification/notification-types.js';
import { asAdmin, messagesWith, refusedPhone, type Sent } from './notification.js';

interface Template {
  type: keyof typeof requiredVariables;
  emailSubject: string;
  emailHtml: string;
  emailText: string;
  smsBody: string;
  version: number;
  createdAt: string;
  createdBy: string | null;
}
interface One {
  template: Template;
}
interface Versions {
  versions: Template[];
}
const unknown = { status: 404, body: { error: 'Unknown notification type: parcel' } };
/** Types that send text messages from the first day (D68). */
const withSms = [
  'otp',
  'prescription_approved',
  'prescription_denied',
  'first_shipping_confirmation',
  'shipping_confirmation',
  'shipping_update',
  'delivery_tomorrow',
  'out_for_delivery',
  'delivered',
];
const put = (type: string, body: unknown) => asAdmin<One>('PUT', `/templates/${type}`, body);

describe('GET /notify/templates', () => {
  test('200 with one of each type, which has a subject and both bodies', async () => {
    const { status, body } = await asAdmin<{ templates: Template[] }>('GET', '/templates');
    expect(status).toBe(200);
    expect(body.templates.map(({ type }) => type)).toEqual([...notificationTypes].sort());
    for (const { type, ...template } of body.templates)
      expect(template).toMatchObject({
        requiredVariables: requiredVariables[type],
        version: expect.any(Number),
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
      });
  });

  /** What a sender may add (D97, D107, D121). */
  const optional = ['intakeTypeSentence', 'items', 'paymentLinkText', 'paymentSentence', 'paymentUrl'];
  test('the first versions count on the required variables and name no medication in a text message', async () => {
    for (const type of notificationTypes) {
      const { body } = await asAdmin<Versions>('GET', `/templates/${type}/versions`);
      const first = body.versions.at(-1)!;
      expect(first).toMatchObject({ version: 1, createdBy: null });
      const named = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
      const texts = [first.emailSubject, first.emailHtml, first.emailText, first.smsBody].flatMap(named);
      expect([...requiredVariables[type], ...optional]).toEqual(expect.arrayContaining(texts));
      expect(first.emailSubject).not.toBe('');
      expect(first.emailHtml).toContain('<!doctype html>');
      const inText = named(first.emailText).map((name) => (name === 'paymentSentence' ? 'paymentUrl' : name));
      const inHtml = named(first.emailHtml).filter((name) => name !== 'paymentLinkText');
      expect(new Set(inText)).toEqual(new Set(inHtml));
      expect([type, first.smsBody !== '']).toEqual([type, withSms.includes(type)]);
      expect(first.smsBody).not.toContain('{{medication}}');
    }
  });
});

describe('GET /notify/templates/:type', () => {
  test('200 with the template, what it counts on, and what of that is health data', async () => {
    const { status, body } = await asAdmin('GET', '/templates/treatment_change');
    expect([status, body]).toEqual([
      200,
      {
        template: {
          type: 'treatment_change',
          emailSubject: 'Your treatment has changed',
          emailHtml: expect.stringContaining('<p>Hello {{patientName}},</p>'),
          emailText: 'Hello {{patientName}},\n\nYour treatment with {{medication}} was changed: {{change}}',
          smsBody: '',
          requiredVariables: ['patientName', 'medication', 'change'],
          healthVariables: ['medication', 'change'],
          version: 1,
          createdAt: expect.any(String),
          createdBy: null,
        },
      },
    ]);
  });

  test('404 for an unknown type', async () => {
    expect(await asAdmin('GET', '/templates/parcel')).toMatchObject(unknown);
    expect((await asAdmin('GET', '/templates/toString')).status).toBe(404);
  });
});

describe('PUT /notify/templates/:type', () => {
  test('200 changes the parts that are given, makes a version, and the next notification has it', async () => {
    const mark = randomUUID();
    const answer = await put('balance_expiring', {
      emailSubject: `Balance ${mark}`,
      smsBody: 'Hi {{patientName}}',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        template: {
          type: 'balance_expiring',
          emailSubject: `Balance ${mark}`,
          emailText: expect.stringContaining('expires on {{expiryDate}}'),
          smsBody: 'Hi {{patientName}}',
          version: 2,
          createdBy: developmentSuperadmin.id,
        },
      },
    });
    expect((await asAdmin('GET', '/templates/balance_expiring')).body).toEqual(answer.body);
    const recipient = { email: 'ada@example.test' };
    await asAdmin('POST', '/templates/balance_expiring/test', { recipient });
    expect(await messagesWith(mark)).toMatchObject([{ subject: `Balance ${mark}` }]);
  });

  test('200 without a new version when nothing changes', async () => {
    const first = await put('lab_received', { emailText: 'Received' });
    const { createdAt, version } = first.body.template;
    expect(version).toBe(2);
    for (const same of [{ emailText: 'Received' }, {}, { unknown: 'field' }])
      expect((await put('lab_received', same)).body.template).toMatchObject({ version, createdAt });
  });

  test('200 for an empty part, which is then not sent', async () => {
    const recipient = { email: 'ada@example.test' };
    expect((await put('visit_complete', { emailHtml: '', emailText: '' })).status).toBe(200);
    const { body } = await asAdmin<Sent>('POST', '/templates/visit_complete/test', { recipient });
    expect(body.channels).toEqual([{ channel: 'email', status: 'skipped', reason: 'empty template' }]);
  });

  test('200 for braces that are no placeholder, which are sent as they stand', async () => {
    const parts = { emailHtml: '<p>{{#if a}} {{a</p>', emailText: '{{}} {{{a}}}', smsBody: '{{a b}} {{a}}' };
    expect(await put('support_message', parts)).toMatchObject({ status: 200, body: { template: parts } });
    const { body } = await asAdmin('POST', '/templates/support_message/preview', { variables: { a: 'x' } });
    expect(body).toMatchObject({ ...parts, emailText: '{{}} {x}', smsBody: '{{a b}} x' });
  });

  test('200 for thirty changes at once, each a version of its own that builds on the one before', async () => {
    const parts = ['emailSubject', 'emailText', 'smsBody'] as const;
    const changes = Array.from({ length: 30 }, (_, index) => ({ [parts[index % 3]!]: `text ${index}` }));
    const answers = await Promise.all(changes.map((change) => put('checkin_renewal', change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const { versions } = (await asAdmin<Versions>('GET', '/templates/checkin_renewal/versions')).body;
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: 31 }, (_, index) => 31 - index),
    );
    for (const [index, later] of versions.slice(0, -1).entries()) {
      const earlier = versions[index + 1]!;
      expect(parts.filter((part) => later[part] !== earlier[part])).toHaveLength(1);
    }
  });

  test('400 names the part at fault', async () => {
    expect(await put('otp', { smsBody: 'x'.repeat(1_601) })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'smsBody', message: expect.any(String) }] },
    });
  });

  test.each(['[]', '"text"', 'null', '{"emailText":"\\u0000"}', '{"emailText":"\\ud800"}', '{', ''])(
    '400 for the body %s',
    async (body) => expect((await put('otp', body)).status).toBe(400),
  );

  test('404 for an unknown type', async () => {
    expect(await put('parcel', { emailText: 'x' })).toMatchObject(unknown);
  });
});

describe('GET /notify/templates/:type/versions', () => {
  test('200 with every version, newest first, and who made it', async () => {
    await put('lab_rejected', { emailSubject: 'Second' });
    await put('lab_rejected', { emailSubject: 'Third' });
    const { status, body } = await asAdmin<Versions>('GET', '/templates/lab_rejected/versions');
    expect(status).toBe(200);
    const email = { emailHtml: expect.any(String), emailText: expect.any(String), smsBody: '' };
    const createdAt = expect.stringMatching(/\.\d{3}Z$/);
    const createdBy = developmentSuperadmin.id;
    expect(body.versions).toEqual([
      { version: 3, emailSubject: 'Third', ...email, createdAt, createdBy },
      { version: 2, emailSubject: 'Second', ...email, createdAt, createdBy },
      {
        version: 1,
        emailSubject: 'Your lab sample could not be used',
        ...email,
        createdAt,
        createdBy: null,
      },
    ]);
  });

  test('404 for an unknown type', async () => {
    expect(await asAdmin('GET', '/templates/parcel/versions')).toMatchObject(unknown);
  });
});

describe('POST /notify/templates/:type/preview', () => {
  const preview = (type: string, body: unknown) => asAdmin('POST', `/templates/${type}/preview`, body);

  test('200 with the parts as they would be sent', async () => {
    const { status, body } = await preview('otp', { variables: { code: '<123456>' } });
    expect([status, body]).toEqual([
      200,
      {
        emailSubject: 'Your verification code',
        emailHtml: expect.stringContaining('&lt;123456&gt;'),
        emailText: expect.stringContaining('<123456>'),
        smsBody: 'Scriptrail: your verification code is <123456>. Never share it with anyone.',
      },
    ]);
  });

  test('200 with the four parts alone for a type that tells health data by e-mail only', async () => {
    const { body } = await preview('treatment_active', { variables: { medication: 'Semaglutide' } });
    expect(body).toEqual({
      emailSubject: 'Your treatment is active',
      emailHtml: expect.stringContaining('Semaglutide'),
      emailText: expect.stringContaining('Semaglutide'),
      smsBody: '',
    });
  });

  test('200 flags health data in a text message, and in CRM and chat once they are enabled; the template is accepted', async () => {
    const changed = await put('new_refill', { smsBody: 'Hi, {{medication}} is {{ medication.form }}' });
    expect(changed.status).toBe(200);
    const sms = { channel: 'sms', variables: ['medication'] };
    const flagged = async () =>
      (await preview('new_refill', { variables: { medication: 'Semaglutide' } })).body;
    expect(await flagged()).toMatchObject({ smsBody: 'Hi, Semaglutide is ', healthData: [sms] });
    await asAdmin('PUT', '/channels/new_refill', { email: true, sms: false, crm: true, chat: true });
    expect(await flagged()).toMatchObject({
      healthData: [sms, { ...sms, channel: 'crm' }, { ...sms, channel: 'chat' }],
    });
  });

  test.each<[string, unknown]>([
    ['variables', {}],
    ['variables', { variables: 'x' }],
    ['variables', { variables: { code: 'x'.repeat(600_000) } }],
  ])('400 names %s (case %#)', async (path, body) => {
    expect(await preview('otp', body)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path }] },
    });
  });

  test('400 for a template that multiplies a long value, without an effort', async () => {
    expect((await put('visit_complete', { emailHtml: '{{x}}'.repeat(40_000) })).status).toBe(200);
    expect((await preview('visit_complete', { variables: { x: 'x'.repeat(900_000) } })).status).toBe(400);
  });

  test('404 for an unknown type', async () => {
    expect(await preview('parcel', { variables: {} })).toMatchObject(unknown);
  });
});

describe('POST /notify/templates/:type/test', () => {
  const tryOut = <T = Sent>(type: string, body: unknown) =>
    asAdmin<T>('POST', `/templates/${type}/test`, body);

  test('200 sends it over the channels of the type, with the variables or without, and logs it', async () => {
    const email = `${randomUUID()}@example.test`;
    const answer = await tryOut('doctor_reviewed', {
      recipient: { email },
      variables: { patientName: 'Ada' },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        channels: [{ channel: 'email', status: 'sent', providerMessageId: expect.any(String) }],
        logId: expect.any(String),
      },
    ]);
    await tryOut('doctor_reviewed', { recipient: { email } });
    expect(await messagesWith(email)).toHaveLength(2);
    const { body } = await asAdmin('GET', `/log?recipient=${email}`);
    expect(body).toMatchObject({
      entries: [
        { missingVariables: ['patientName', 'providerName'] },
        { id: answer.body.logId, missingVariables: ['providerName'] },
      ],
    });
  });

  test('502 when no channel could deliver', async () => {
    await asAdmin('PUT', '/channels/order_edited', { email: false, sms: true, crm: false, chat: false });
    await put('order_edited', { smsBody: 'Changed' });
    expect(await tryOut('order_edited', { recipient: { phone: refusedPhone } })).toMatchObject({
      status: 502,
      body: { success: false, channels: [{ channel: 'sms', status: 'failed' }], logId: expect.any(String) },
    });
  });

  test('400 without an address, and for one of another form', async () => {
    expect(await tryOut<object>('welcome', { recipient: {} })).toMatchObject({
      status: 400,
      body: { error: 'At least one of email or phone is required' },
    });
    expect(await tryOut<object>('welcome', { recipient: { email: 'x' } })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'recipient.email' }] },
    });
    expect(await tryOut<object>('welcome', {})).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'recipient' }] },
    });
  });

  test('404 for an unknown type', async () => {
    expect(await tryOut('parcel', { recipient: { email: 'a@example.test' } })).toMatchObject(unknown);
  });
});
