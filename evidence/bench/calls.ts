import { randomUUID } from 'node:crypto';
import type { DevJson } from '../../dev/dev-json.js';
import { callService, type ServiceCall } from '../../cli/call-service.js';
import { inState } from '../../tests/helpers/prescription.js';
import type { Work } from './measure.js';

/** One state per pharmacy, so that each adapter and pharmacy_c's label take part. */
const states = ['NY', 'TX', 'WA'];

/** Calls as clients make them, each with its own key. Each throws unless the answer is a success. */
export function callsOn(dev: DevJson): { approve: Work; submit: Work; notify: Work } {
  let turn = 0;
  const nextState = () => states[(turn += 1) % states.length] ?? 'NY';
  const patientIn = (state: string) =>
    dev.patients.find((patient) => patient.state === state && patient.card === 'pm_card_visa')?.emrPatientId;
  const post = async (call: Pick<ServiceCall, 'service' | 'path'>, body: object): Promise<unknown> => {
    const answer = await callService(dev, { ...call, method: 'POST', body: JSON.stringify(body) });
    if (answer.status >= 300)
      throw new Error(`${call.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  return {
    approve: async () => {
      const request = {
        taskId: randomUUID(),
        medication: 'semaglutide',
        emrPatientId: patientIn(nextState()),
      };
      const body = await post({ service: 'orchestrator', path: '/orchestrator/approve' }, request);
      const { warnings } = (body as { result: { warnings: string[] } }).result;
      if (warnings.length > 0) throw new Error(`an approval warned: ${warnings.join(', ')}`);
    },
    submit: () => post({ service: 'router', path: '/rx/prescriptions/submit' }, inState(nextState())),
    notify: () => post({ service: 'notification', path: '/notify/send' }, notification),
  };
}

const notification = {
  type: 'prescription_approved',
  recipient: { email: 'pat@example.test', phone: '+12025550101', name: 'Pat Example' },
  variables: { patientName: 'Pat Example', medication: 'Semaglutide', pharmacyName: 'Pharmacy A' },
  channels: ['email', 'sms'],
};
