import {
  deleteMedicationConfig,
  listMedicationConfigs,
  listSchedulesUsing,
  putMedicationConfig,
} from '../../db/orchestrator/medication-configs.js';
import { builtInMedication } from '../../domain/orchestrator/medications.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, issueErrors, unknown } from '../http-errors.js';
import { adminKeysOnly } from '../plugins/signed.js';
import * as contract from './medication-contract.js';

const common = { tags: ['Medications'], security: [{ signature: [] }] };
const access = { none: 'what medications are, nobody’s prescription' } as const;

/** Medications, built in or stored (D123). */
export function medicationRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/orchestrator/medications',
    {
      config: { access },
      schema: {
        ...common,
        summary: 'List all medications by key',
        response: { 200: contract.medications, ...issueErrors(401, 403, 429, 500) },
      },
    },
    async () => ({ medications: await listMedicationConfigs(sql) }),
  );

  signed.put(
    '/orchestrator/medications/:key',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Add or replace a medication',
        description:
          'Replaces the whole medication, and a built-in one of the same key. Later refills use its directions and price.',
        params: contract.medicationKey,
        body: contract.newMedication,
        response: { 200: contract.oneMedication, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ params: { key }, body }) => ({ medication: await putMedicationConfig(sql, { key, ...body }) }),
  );

  signed.delete(
    '/orchestrator/medications/:key',
    {
      config: { errorCodes: ['in_use'], access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Remove a stored medication',
        description: 'A built-in medication of the same key applies again.',
        params: contract.storedKey,
        response: {
          200: contract.removed,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500),
          409: contract.medicationInUse.describe('Active or paused schedules use the medication'),
        },
      },
    },
    ({ params: { key } }) =>
      sql.begin(async (sql) => {
        if (!(await deleteMedicationConfig(sql, key))) throw unknown('Medication');
        const medication = builtInMedication(key) ?? null;
        const schedules = medication ? [] : await listSchedulesUsing(sql, key);
        if (schedules.length > 0) throw conflict('In use', { schedules }, 'in_use');
        return { medication };
      }),
  );
}
