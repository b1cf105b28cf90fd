import { randomUUID } from 'node:crypto';
import Table from 'cli-table3';
import { stepTitle } from '../../domain/orchestrator/pipeline.js';
import { approvalLink } from '../../cli/system.js';
import type { DevJson } from '../dev-json.js';
import { type DemoCase, demoCases } from './cases.js';
import { gatherFacts } from './facts.js';
import { findings, holds, line } from './judge.js';
import { watchRun } from './watch-run.js';

/** Approves prescriptions of seeded patients, prints each step, and checks the records of all services. */
export async function showApprovals(dev: DevJson): Promise<void> {
  const table = new Table({
    head: ['Case', 'Run', 'Pharmacy', 'Prescriber', 'Charged', 'Notified', ''],
    style: { head: [], border: [], compact: true },
  });
  let allHold = true;
  for (const demoCase of demoCases) {
    const { row, ok } = await show(dev, demoCase);
    table.push(row);
    allHold &&= ok;
  }
  console.log(table.toString());
  console.log(allHold ? 'All of it as expected.' : 'NOT as expected: see the lines marked above.');
  if (!allHold) process.exitCode = 1;
}

async function show(dev: DevJson, demoCase: DemoCase): Promise<{ row: string[]; ok: boolean }> {
  const { title, patient, medication } = demoCase;
  console.log(`\n${title}`);
  try {
    const seeded = dev.patients.find(({ state, card }) => state === patient.state && card === patient.card);
    if (!seeded) throw new Error('There is no such seeded patient');
    const { emrPatientId, state } = seeded;
    const taskId = `demo-${randomUUID()}`;
    const startedAt = new Date().toISOString();
    const run = await watchRun(dev, { taskId, medication, emrPatientId }, (step) =>
      console.log(`  ${stepTitle(step)}`),
    );
    if (run.status === 'failed')
      console.log(`  stopped at ${run.failedStep ?? 'no step'}: ${run.error ?? ''}`);
    if (run.warnings.length > 0) console.log(`  warnings: ${run.warnings.join(', ')}`);

    const submissionId = run.result?.submissionId;
    const facts = await gatherFacts(dev, {
      taskId,
      submissionId,
      emrPatientId,
      medication,
      state,
      startedAt,
    });
    const found = findings(demoCase, run, facts);
    for (const one of found) console.log(`  ${line(one)}`);
    console.log(`  ${approvalLink(dev, taskId)}`);
    const ok = found.every(holds);
    const shown = (what: string) => found.find((one) => one.what === what)?.found ?? '-';
    const cells = ['status', 'pharmacy', 'prescriber', 'charged', 'patient notified'].map(shown);
    return { row: [title, ...cells, ok ? 'ok' : 'NOT OK'], ok };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`  NOT OK  ${reason}`);
    return { row: [title, 'no result', '-', '-', '-', '-', 'NOT OK'], ok: false };
  }
}
