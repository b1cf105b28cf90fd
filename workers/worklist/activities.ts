import { createEventConsumerActivities } from '../../activities/events/deliveries.js';
import { createAnswerActivities } from '../../activities/worklist/answers.js';
import { createOwnerClient } from '../../integrations/worklist/owner.js';
import type { WorkerContext } from '../context.js';
import { worklistEvents } from './events.js';

export function worklistActivities(context: WorkerContext) {
  const own = context.config.service('worklist');
  const credentials = { keyId: own.WORKLIST_API_KEY, secret: own.WORKLIST_API_SECRET };
  const owner = (name: string, baseUrl: string, path: string) =>
    createOwnerClient({ party: name, baseUrl, ...credentials }, path);
  return {
    ...createEventConsumerActivities({ worklist: worklistEvents(context) }),
    ...createAnswerActivities({
      sql: context.sql,
      owners: {
        router: owner('Router', own.ROUTER_URL, '/rx/work-items'),
        orchestrator: owner('Orchestrator', own.ORCHESTRATOR_URL, '/orchestrator/work-items'),
        intake: owner('Intake gateway', own.INTAKE_URL, '/work-items'),
        organization: owner('Organization service', own.ORGANIZATION_URL, '/work-items'),
        patients: owner('Patient directory', own.PATIENTS_URL, '/work-items'),
        bridge: owner('EMR bridge', own.BRIDGE_URL, '/work-items'),
      },
    }),
  };
}
