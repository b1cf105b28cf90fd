import { addLicense, updateLicense } from '../../db/registry/licenses.js';
import { addPhysician, findPhysicianStatus, updatePhysician } from '../../db/registry/physicians.js';
import type { App, ServiceContext } from '../context.js';
import type { HttpError } from '../http-error.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { officeKeysOnly } from './access.js';
import {
  bodyRefusals,
  common,
  idParams,
  licenseAnswer,
  licenseChanges,
  licenseEnded,
  licenseParams,
  newLicense,
  newPhysician,
  physicianAnswer,
  physicianChanges,
  physicianEnded,
  refusal,
  refusals,
} from './contract.js';
import { isUuid, licenseNotFound, physicianNotFound, writing } from './refusals.js';

const missing = { 404: refusal };
const emailTaken = { 409: refusal.describe('The e-mail address is taken') };
const stateTaken = { 409: refusal.describe('There is an active license for the state') };

/** Changes to physicians and licenses, for keys without a physician (D50). Nothing is deleted, only taken out of use. */
export function administration(signed: App, { sql }: ServiceContext): void {
  const preValidation = officeKeysOnly;

  async function changePhysician(id: string, changes: Parameters<typeof updatePhysician>[2]) {
    const physician = isUuid(id) ? await writing(updatePhysician(sql, id, changes)) : undefined;
    if (!physician) throw physicianNotFound();
    return physician;
  }

  async function changeLicense(
    { id, lid }: { id: string; lid: string },
    changes: Parameters<typeof updateLicense>[2],
  ) {
    const known = isUuid(id) && isUuid(lid);
    const license = known
      ? await writing(updateLicense(sql, { id: lid, physicianId: id }, changes))
      : undefined;
    if (!license) throw await missingLicense(id);
    return license;
  }

  async function missingLicense(physicianId: string): Promise<HttpError> {
    const physician = isUuid(physicianId) ? await findPhysicianStatus(sql, physicianId) : undefined;
    return physician ? licenseNotFound() : physicianNotFound();
  }

  signed.post(
    '/physicians',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Add a physician',
        body: newPhysician,
        response: { 201: physicianAnswer, ...bodyRefusals, ...emailTaken },
      },
    },
    async ({ body }, reply) => {
      const physician = await writing(addPhysician(sql, body));
      return reply.code(201).send({ physician });
    },
  );

  signed.put(
    '/physicians/:id',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Change a physician',
        description: 'Only the fields that are given change.',
        params: idParams,
        body: physicianChanges,
        response: { 200: physicianAnswer, ...bodyRefusals, ...missing, ...emailTaken },
      },
    },
    async ({ params, body }) => ({ physician: await changePhysician(params.id, body) }),
  );

  signed.delete(
    '/physicians/:id',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Take a physician out of use',
        description: 'The record stays, inactive: routing passes it over.',
        params: idParams,
        response: { 200: physicianEnded, ...refusals, ...missing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      physician: await changePhysician(params.id, { isActive: false }),
    }),
  );

  signed.post(
    '/physicians/:id/reactivate',
    {
      preValidation: [officeKeysOnly, adminKeysOnly],
      schema: {
        ...common,
        summary: 'Put a physician back into use',
        description: 'For keys with scope `admin`.',
        params: idParams,
        response: { 200: physicianEnded, ...bodyRefusals, ...missing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      physician: await changePhysician(params.id, { isActive: true }),
    }),
  );

  signed.post(
    '/physicians/:id/licenses',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Add a license',
        params: idParams,
        body: newLicense,
        response: { 201: licenseAnswer, ...bodyRefusals, ...missing, ...stateTaken },
      },
    },
    async ({ params, body }, reply) => {
      if (!isUuid(params.id)) throw physicianNotFound();
      return reply.code(201).send({ license: await writing(addLicense(sql, params.id, body)) });
    },
  );

  signed.put(
    '/physicians/:id/licenses/:lid',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Change a license',
        description: 'Only the fields that are given change.',
        params: licenseParams,
        body: licenseChanges,
        response: { 200: licenseAnswer, ...bodyRefusals, ...missing, ...stateTaken },
      },
    },
    async ({ params, body }) => ({ license: await changeLicense(params, body) }),
  );

  signed.delete(
    '/physicians/:id/licenses/:lid',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Take a license out of use',
        params: licenseParams,
        response: { 200: licenseEnded, ...refusals, ...missing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      license: await changeLicense(params, { isActive: false }),
    }),
  );
}
