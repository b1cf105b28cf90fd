import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { callService, pretty } from './call-service.js';
import { printList } from './lists.js';
import { approvalLink } from './run-link.js';
import { readSystem, type System } from './system.js';

interface ApproveOptions {
  patient: string;
  medication: string;
  task?: string;
  dosage?: string;
}

/** `rx approve`: one approval from start to end. */
export function addApproveCommand(program: Command): void {
  approval(program, 'approve')
    .description('approve a prescription for a patient and wait for the result')
    .action(async (options: ApproveOptions) => {
      const system = readSystem();
      const { taskId, answer } = await send(system, '/orchestrator/approve', options);
      console.log(answer.status);
      console.log(pretty(answer.body));
      console.log(approvalLink(system, taskId));
      if (answer.status >= 400) process.exitCode = 1;
    });
}

interface Preflight {
  ready: boolean;
  findings: { code: string; step: string; severity: string; message: string; remedy: string }[];
}

/** `rx preflight`: what `rx approve` with the same options would meet (D106). */
export function addPreflightCommand(program: Command): void {
  approval(program, 'preflight')
    .description('say what an approval would meet, without approving; ends with 1 when something blocks')
    .action(async (options: ApproveOptions) => {
      const { answer } = await send(readSystem(), '/orchestrator/preflight', options);
      if (answer.status >= 400) throw new Error(`${answer.status} ${pretty(answer.body)}`);
      const { ready, findings } = answer.body as Preflight;
      if (findings.length > 0)
        printList(findings, {
          Step: ({ step }) => step,
          Effect: ({ severity }) => severity,
          Found: ({ code, message }) => `${code}\n${message}`,
          'What to do': ({ remedy }) => remedy,
        });
      console.log(ready ? 'Ready to be approved.' : 'Not ready.');
      if (!ready) process.exitCode = 1;
    });
}

const approval = (program: Command, name: string): Command =>
  program
    .command(name)
    .option('--patient <index|id>', 'a seeded patient by number, or an EMR patient id', '0')
    .option('--medication <key>', 'semaglutide, tirzepatide or nad', 'semaglutide')
    .option('--task <id>', 'the task id; without it a new one')
    .option('--dosage <text>', 'directions that replace the usual ones');

async function send(system: System, path: string, { patient, medication, task, dosage }: ApproveOptions) {
  const taskId = task ?? `rx-${randomUUID()}`;
  const body = JSON.stringify({ taskId, medication, emrPatientId: emrPatientId(system, patient), dosage });
  const answer = await callService(system, { service: 'orchestrator', method: 'POST', path, body });
  return { taskId, answer };
}

/** @throws Error for a number that no seeded patient has */
function emrPatientId({ patients }: System, patient: string): string {
  if (!/^\d{1,3}$/.test(patient)) return patient;
  const seeded = patients[Number(patient)];
  if (!seeded) throw new Error(`There are ${patients.length} seeded patients, numbered from 0.`);
  return seeded.emrPatientId;
}
