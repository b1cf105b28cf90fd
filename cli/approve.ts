import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { callAndPrint } from './call-service.js';
import { ask, printList } from './lists.js';
import { approvalLink, readSystem, type System } from './system.js';

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
      const { task = `rx-${randomUUID()}` } = options;
      await callAndPrint(callOf(system, 'approve', { ...options, task }));
      console.log(approvalLink(system, task));
    });
}

interface Preflight {
  ready: boolean;
  findings: { code: string; step: string; severity: string; message: string; remedy: string }[];
}

/** `rx preflight`: the problems that `rx approve` would meet with the same options (D106). */
export function addPreflightCommand(program: Command): void {
  approval(program, 'preflight')
    .description('check an approval without approving; exit code 1 means that something blocks it')
    .action(async (options: ApproveOptions) => {
      const { ready, findings } = await ask<Preflight>(callOf(readSystem(), 'preflight', options));
      if (findings.length > 0)
        printList(findings, {
          Step: 'step',
          Effect: 'severity',
          Found: ({ code, message }) => `${code}\n${message}`,
          'What to do': 'remedy',
        });
      console.log(ready ? 'Ready to be approved.' : 'Not ready.');
      if (!ready) process.exitCode = 1;
    });
}

const approval = (program: Command, name: string): Command =>
  program
    .command(name)
    .option('--patient <index|id>', 'a seeded patient by number, or an EMR patient id', '0')
    .option('--medication <key>', 'one of `rx medications list`', 'semaglutide')
    .option('--task <id>', 'task id; a new one by default')
    .option('--dosage <text>', 'directions that replace the usual ones');

function callOf(system: System, action: 'approve' | 'preflight', options: ApproveOptions) {
  const { patient, medication, task = `rx-${randomUUID()}`, dosage } = options;
  const emrPatientId = emrPatientIdOf(system, patient);
  const body = JSON.stringify({ taskId: task, medication, emrPatientId, dosage });
  return { service: 'orchestrator', method: 'POST', path: `/orchestrator/${action}`, body } as const;
}

/** @throws Error for a number that no seeded patient has */
function emrPatientIdOf({ patients }: System, patient: string): string {
  if (!/^\d{1,3}$/.test(patient)) return patient;
  const seeded = patients[Number(patient)];
  if (!seeded) throw new Error(`There are ${patients.length} seeded patients, numbered from 0.`);
  return seeded.emrPatientId;
}
