import {
  addLicense,
  findActiveLicense,
  listActiveLicenses,
  updateLicense,
} from '../../db/registry/licenses.js';
import { findPhysicianStatus } from '../../db/registry/physicians.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import { found, idOf, isUuid, issueErrors, httpError, unknown } from '../http-errors.js';
import { officeKeysOnly } from './authorize.js';
import * as contract from './contract.js';
import { withConstraintErrors } from './constraint-errors.js';
import { verifyLicense } from './route-patients.js';

const { common, errors, bodyErrors, notFoundError } = contract;
const stateTaken = { 409: httpError.describe('An active license for the state exists') };

/** Licenses (page 1, Registry endpoints). Every registry key can read them; a physician's key cannot change them (D50). */
export function licenseRoutes(signed: App, { sql, config }: ServiceContext): void {
  const preValidation = officeKeysOnly;
  const today = () => businessDay(config.BUSINESS_TIMEZONE);

  async function knownId(id: string): Promise<string> {
    return found(await findPhysicianStatus(sql, idOf(id, 'Physician')), 'Physician').id;
  }

  async function changeLicense(
    { id, lid }: { id: string; lid: string },
    changes: Parameters<typeof updateLicense>[2],
  ) {
    const known = isUuid(id) && isUuid(lid);
    const license = known
      ? await withConstraintErrors(updateLicense(sql, { id: lid, physicianId: id }, changes))
      : undefined;
    if (license) return license;
    await knownId(id);
    throw unknown('License');
  }

  signed.get(
    '/physicians/:id/licenses',
    {
      config: { access: { action: 'license.list', record: 'id' } },
      schema: {
        ...common,
        summary: 'List the active licenses of a physician',
        params: contract.idParams,
        response: { 200: contract.licensesAnswer, ...errors, ...notFoundError },
      },
    },
    async ({ params }) => {
      const id = await knownId(params.id);
      return { licenses: await listActiveLicenses(sql, id) };
    },
  );

  signed.get(
    '/physicians/:id/verify-license',
    {
      config: { access: { action: 'license.verify', record: 'id' } },
      schema: {
        ...common,
        summary: 'Check that a physician has an active, unexpired license in a state',
        params: contract.idParams,
        querystring: contract.verifyQuery,
        response: { 200: contract.verifyAnswer, ...issueErrors(400), ...errors, ...notFoundError },
      },
    },
    async ({ params, query: { state } }) => {
      const id = await knownId(params.id);
      return verifyLicense(await findActiveLicense(sql, id, state), state, today());
    },
  );

  signed.post(
    '/physicians/:id/licenses',
    {
      config: { access: { action: 'license.create', record: 'id' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Add a license',
        description: answeredOnce,
        params: contract.idParams,
        body: contract.newLicense,
        response: { 201: contract.licenseAnswer, ...bodyErrors, ...notFoundError, ...stateTaken },
      },
    },
    async ({ params, body }, reply) => {
      const id = idOf(params.id, 'Physician');
      return answerOnce({ sql, service: 'registry', status: 201 }, reply, async (sql) => ({
        license: await withConstraintErrors(addLicense(sql, id, body)),
      }));
    },
  );

  signed.put(
    '/physicians/:id/licenses/:lid',
    {
      config: { access: { action: 'license.update', record: 'id' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Change a license',
        description: 'Fields that are left out do not change.',
        params: contract.licenseParams,
        body: contract.licenseChanges,
        response: { 200: contract.licenseAnswer, ...bodyErrors, ...notFoundError, ...stateTaken },
      },
    },
    async ({ params, body }) => ({ license: await changeLicense(params, body) }),
  );

  signed.delete(
    '/physicians/:id/licenses/:lid',
    {
      config: { access: { action: 'license.revoke', record: 'id' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Deactivate a license',
        params: contract.licenseParams,
        response: { 200: contract.licenseEnded, ...bodyErrors, ...notFoundError },
      },
    },
    async ({ params }) => ({
      success: true as const,
      license: await changeLicense(params, { isActive: false }),
    }),
  );
}
