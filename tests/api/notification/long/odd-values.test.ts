import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { adminToken, callAs } from '../../../helpers/client.js';
import { adminRoutes, dev } from '../notification.js';

const routes = await adminRoutes();

test('whatever a superadmin asks for is answered, and never with 5xx', async () => {
  const token = await adminToken(dev);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((chars) => chars.toWellFormed()),
    fc.constantFrom('', 'billing_plan_change', '../otp', '%00', "'; --", '9999-12-31T23:59:59Z'),
  );
  const value = fc.oneof(fc.jsonValue(), text, fc.constant({ email: 'fuzz@example.test' }));
  const fields = [
    'emailSubject',
    'emailHtml',
    'emailText',
    'smsBody',
    'email',
    'sms',
    'variables',
    'recipient',
  ];
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), value).map((object) => JSON.stringify(object)),
    fc.json(),
    text,
  );
  const names = ['limit', 'cursor', 'type', 'recipient', 'status', 'from', 'to'];
  const query = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 });
  const asked = fc.constantFrom(...routes);
  const property = fc.asyncProperty(
    asked,
    text,
    body,
    query,
    async ([method, route], type, sent, parameters) => {
      const path = route.replace('welcome', () => encodeURIComponent(type) || '-');
      const { status } = await callAs(dev, 'notification', token, {
        method,
        path: `${path}?${new URLSearchParams(parameters).toString()}`,
        ...(method === 'GET' || sent === '' ? {} : { body: sent }),
      });
      expect([200, 400, 404]).toContain(status);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
