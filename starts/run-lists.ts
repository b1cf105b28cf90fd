import type { SearchAttributeName } from '../domain/search-attributes.js';
import type { WorkflowName } from './runs.js';

const is = (name: SearchAttributeName, value: string) => `${name} = '${value}'`;
const has = (name: SearchAttributeName) => `${name} is not null`;
const of = (...names: WorkflowName[]) => `WorkflowType in (${names.map((name) => `'${name}'`).join(', ')})`;
const running = "ExecutionStatus = 'Running'";

/** The lists of workflows that operators look for. The Web UI keeps saved queries in the browser only, so the desk links to them. */
export const runLists: readonly { title: string; query: string }[] = [
  { title: 'Failing for more than five minutes', query: `${running} and ${has('RxStuck')}` },
  { title: 'Waiting for an answer at the desk', query: `${running} and ${has('RxWaiting')}` },
  {
    title: 'Failed approvals and refills',
    query: `${of('approvePrescription', 'processRefill')} and ${is('RxOutcome', 'FAILED')}`,
  },
  {
    title: 'Approvals and refills with warnings',
    query: `${of('approvePrescription', 'processRefill')} and ${is('RxOutcome', 'WARN')}`,
  },
  {
    title: 'Cancellations and reroutes under way',
    query: `${running} and ${of('cancelApproval', 'rerouteOrder', 'cancelPrescription')}`,
  },
  { title: 'Payments being collected', query: `${running} and ${of('recoverPayment')}` },
  { title: 'Orders whose outcome is unknown', query: `${running} and ${of('settleSubmission')}` },
  { title: 'Terminated by hand', query: "ExecutionStatus = 'Terminated'" },
];
