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
import {
  bodyRefusals,
  common,
  idParams,
  licenseAnswer,
  licenseChanges,
  licenseEnded,
  licenseParams,
  licensesAnswer,
  newLicense,
  refusals,
  unknownThing,
  verifyAnswer,
  verifyQuery,
} from './contract.js';
import { unlessViolated } from './refuse.js';
import { verifyLicense } from './route-patients.js';

const stateTaken = { 409: httpError.describe('There is an active license for the state') };

/** Licenses (page 1, Registry endpoints): every key of the registry reads, keys without a physician change (D50). */
export function licenseRoutes(signed: App, { sql, config }: ServiceContext): void {
  const preValidation = officeKeysOnly;
  const today = () => businessDay(config.BUSINESS_TIMEZONE);

  async function requireKnown(id: string): Promise<string> {
    return found(await findPhysicianStatus(sql, idOf(id, 'Physician')), 'Physician').id;
  }

  async function changeLicense(
    { id, lid }: { id: string; lid: string },
    changes: Parameters<typeof updateLicense>[2],
  ) {
    const known = isUuid(id) && isUuid(lid);
    const license = known
      ? await unlessViolated(updateLicense(sql, { id: lid, physicianId: id }, changes))
      : undefined;
    if (license) return license;
    await requireKnown(id);
    throw unknown('License');
  }

  signed.get(
    '/physicians/:id/licenses',
    {
      config: { access: { action: 'license.list', record: 'id' } },
      schema: {
        ...common,
        summary: 'The active licenses of a physician',
        params: idParams,
        response: { 200: licensesAnswer, ...refusals, ...unknownThing },
      },
    },
    async ({ params }) => {
      const id = await requireKnown(params.id);
      return { licenses: await listActiveLicenses(sql, id) };
    },
  );

  signed.get(
    '/physicians/:id/verify-license',
    {
      config: { access: { action: 'license.verify', record: 'id' } },
      schema: {
        ...common,
        summary: 'Whether a physician holds an active, unexpired license in a state',
        params: idParams,
        querystring: verifyQuery,
        response: { 200: verifyAnswer, ...issueErrors(400), ...refusals, ...unknownThing },
      },
    },
    async ({ params, query: { state } }) => {
      const id = await requireKnown(params.id);
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
        params: idParams,
        body: newLicense,
        response: { 201: licenseAnswer, ...bodyRefusals, ...unknownThing, ...stateTaken },
      },
    },
    async ({ params, body }, reply) => {
      const id = idOf(params.id, 'Physician');
      return answerOnce({ sql, service: 'registry', status: 201 }, reply, async (sql) => ({
        license: await unlessViolated(addLicense(sql, id, body)),
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
        description: 'Only the fields that are given change.',
        params: licenseParams,
        body: licenseChanges,
        response: { 200: licenseAnswer, ...bodyRefusals, ...unknownThing, ...stateTaken },
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
        summary: 'Take a license out of use',
        params: licenseParams,
        response: { 200: licenseEnded, ...bodyRefusals, ...unknownThing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      license: await changeLicense(params, { isActive: false }),
    }),
  );
}
