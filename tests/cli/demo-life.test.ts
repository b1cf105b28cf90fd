import { expect, test } from '@jest/globals';
import { shared } from '../helpers/client.js';
import { rx } from '../cli/rx.js';

const dev = shared();

test('rx demo --life leads one patient from the intake form to the refill: two orders, two charges, seven mails', async () => {
  const { exitCode, stdout, stderr } = await rx('demo', '--life');
  expect([exitCode, stderr]).toEqual([0, '']);
  for (const kind of ['intake', 'approval', 'shipment', 'refill'])
    expect(stdout).toContain(`${dev.temporal.ui}/namespaces/${dev.temporal.namespace}/workflows/${kind}:`);
  expect(stdout).toMatch(/│ first order +│ \$299\.00 │ pharmacy_a \S+ +│/);
  expect(stdout).toMatch(/│ refill +│ \$299\.00 │ pharmacy_a \S+ +│/);
  const mails = [
    'Your verification code',
    'Your prescription was approved',
    'Your first order has shipped',
    'Your order was delivered',
    'Your prescription was approved',
    'Your order has shipped',
    'Your order was delivered',
  ];
  expect(stdout).toContain(['7 mails:', ...mails.map((subject) => `  ${subject}`)].join('\n'));
});
