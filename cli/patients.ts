import type { Command } from 'commander';
import { erasureWorkflowId } from '../workflows/ids.js';
import { bearer } from './admin.js';
import { ask } from './lists.js';
import { runLink } from './run-link.js';
import { readSystem } from './system.js';

/** `rx patients`: erasing a patient (D94). */
export function addPatientsCommand(program: Command): void {
  program
    .command('patients')
    .description('patients of the directory')
    .command('erase <patientId>')
    .description(
      'overwrite what an archived patient has told us, in every service; parties outside keep theirs',
    )
    .action(async (patientId: string) => {
      const { erasure } = await ask<{ erasure: { id: string; state: string } }>({
        service: 'patients',
        method: 'POST',
        path: `/v1/patients/${encodeURIComponent(patientId)}/erase`,
        headers: await bearer(),
      });
      console.log(
        `Erasure ${erasure.id} is ${erasure.state}; its run says how far it is and who outside is not touched:`,
      );
      console.log(runLink(readSystem(), erasureWorkflowId(erasure.id)));
    });
}
