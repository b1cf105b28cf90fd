import type { Command } from 'commander';
import { erasureWorkflowId } from '../workflows/ids.js';
import { ask } from './lists.js';
import { readSystem, runLink } from './system.js';

/** `rx patients`: erases a patient (D94). */
export function addPatientsCommand(program: Command): void {
  program
    .command('patients')
    .description('patients of the directory')
    .command('erase <patientId>')
    .description("overwrite an archived patient's data in every service; external services keep theirs")
    .action(async (patientId: string) => {
      const { erasure } = await ask<{ erasure: { id: string; state: string } }>({
        service: 'patients',
        method: 'POST',
        path: `/v1/patients/${encodeURIComponent(patientId)}/erase`,
        asAdmin: true,
      });
      console.log(
        `Erasure ${erasure.id} is ${erasure.state}; its run shows progress and the external services that keep data:`,
      );
      console.log(runLink(readSystem(), erasureWorkflowId(erasure.id)));
    });
}
