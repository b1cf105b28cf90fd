import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { call, sandbox, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { rx } from '../../cli/rx.js';

const dev = shared();
test('hold docs', async () => {
  const out: unknown[] = [];
  const { body } = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
    ...{ key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit' },
    body: inState('WA'),
  });
  const id = body.submissionId;
  await sandbox(dev, `/pharmacies/pharmacy_a/orders/${body.pharmacyOrderId}/hold`, {
    method: 'POST',
    body: { id: 'hold-7', code: 'clarify-address', message: 'No such street' },
  });
  out.push(await rx('holds', 'list', id, '--key', 'clinic'));
  out.push(
    await rx(
      'call',
      'router',
      'POST',
      `/rx/prescriptions/${id}/holds/hold-7/answer`,
      JSON.stringify({ answer: 'change', changes: { quantity: 1 } }),
    ),
  );
  out.push(await rx('holds', 'answer', id, 'hold-7', '--key', 'clinic', '--answer', 'decline'));
  out.push(
    await rx(
      'call',
      'router',
      'POST',
      `/rx/prescriptions/${id}/cancel`,
      JSON.stringify({ reason: 'Patient moved' }),
    ),
  );
  out.push(await rx('call', 'router', 'GET', `/rx/prescriptions/${id}`));
  out.push(await rx('call', 'router', 'GET', '/rx/pharmacies/scorecard', '--key', 'admin'));
  writeFileSync('/tmp/w/router4-docs.json', JSON.stringify(out, null, 1));
  expect(out).toHaveLength(6);
});
