import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { callService, pretty } from './call-service.js';
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
  program
    .command('approve')
    .description('approve a prescription for a patient and wait for the result')
    .option('--patient <index|id>', 'a seeded patient by number, or an EMR patient id', '0')
    .option('--medication <key>', 'semaglutide, tirzepatide or nad', 'semaglutide')
    .option('--task <id>', 'the task id; without it a new one')
    .option('--dosage <text>', 'directions that replace the usual ones')
    .action(async ({ patient, medication, task, dosage }: ApproveOptions) => {
      const system = readSystem();
      const taskId = task ?? `rx-${randomUUID()}`;
      const answer = await callService(system, {
        service: 'orchestrator',
        method: 'POST',
        path: '/orchestrator/approve',
        body: JSON.stringify({ taskId, medication, emrPatientId: emrPatientId(system, patient), dosage }),
      });
      console.log(answer.status);
      console.log(pretty(answer.body));
      console.log(approvalLink(system, taskId));
      if (answer.status >= 400) process.exitCode = 1;
    });
}

/** @throws Error for a number that no seeded patient has */
function emrPatientId({ patients }: System, patient: string): string {
  if (!/^\d{1,3}$/.test(patient)) return patient;
  const seeded = patients[Number(patient)];
  if (!seeded) throw new Error(`There are ${patients.length} seeded patients, numbered from 0.`);
  return seeded.emrPatientId;
}
