import type { HistoryJson } from '../../platform/temporal/history.js';
import { expect, test } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../workers/bundle.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { approve, semaglutideFor } from '../api/orchestrator/approvals.js';
import { patientIn, shared } from '../helpers/client.js';
import { runOf } from '../../cli/rehearse/digest.js';
import { rx } from './rx.js';

test('rx capture prints the history of a run without whom it is about, and it replays', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const dev = shared();
  const approval = semaglutideFor(patientIn(dev, 'NY'));
  const { body } = await approve(dev, approval);
  const { stdout, stderr, exitCode } = await rx('capture', approvalWorkflowId(approval.taskId));
  expect([exitCode, stderr]).toEqual([0, '']);

  const readable = stdout.replace(
    /[A-Za-z0-9+/=]{16,}/g,
    (text) => `${text} ${Buffer.from(text, 'base64').toString()}`,
  );
  const [firstName = '', lastName = ''] = body.result.patientName.split(' ');
  const secrets = [
    firstName,
    lastName,
    approval.emrPatientId,
    approval.taskId,
    body.result.submissionId ?? '',
  ];
  expect(secrets.filter((secret) => secret === '' || readable.includes(secret))).toEqual([]);
  expect(readable).toContain('pharmacy_c');

  const options = { workflowBundle: { codePath: await workflowBundle() } };
  const { workflowId, history } = runOf(JSON.parse(stdout) as HistoryJson, '');
  await Worker.runReplayHistory(options, history, workflowId);
});

test('rx capture of a run that is not there is refused in one sentence', async () => {
  const { stdout, stderr, exitCode } = await rx('capture', 'approval:nobody');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
