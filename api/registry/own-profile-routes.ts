import type { FastifyRequest } from 'fastify';
import type { Changes } from '../../db/client.js';
import { listActiveLicenses } from '../../db/registry/licenses.js';
import {
  findPhysician,
  type PhysicianFields,
  type PhysicianWithSignature,
  updatePhysician,
} from '../../db/registry/physicians.js';
import type { App, ServiceContext } from '../context.js';
import { allowedEvent } from '../plugins/access.js';
import { found, InvalidField, httpError } from '../http-errors.js';
import { ownerOf, physicianKeysOnly } from './authorize.js';
import * as contract from './contract.js';
import { withConstraintErrors } from './constraint-errors.js';
import { withWarnings } from './warnings.js';

const { common, errors, bodyErrors, emailTaken } = contract;
/** Large enough for a signature image in Base64 (D6). */
const signatureBodyLimitBytes = 5 * 1024 * 1024;
const missing = { 404: httpError.describe('The key does not belong to a physician') };

/** The profile of the physician that the key belongs to (page 1, Registry endpoints; D50). */
export function ownProfileRoutes(signed: App, { sql }: ServiceContext): void {
  const preValidation = physicianKeysOnly;

  async function withLicenses(own: PhysicianWithSignature | undefined) {
    const physician = found(own, 'Physician');
    return { physician, licenses: await listActiveLicenses(sql, physician.id) };
  }

  signed.get(
    '/physicians/me',
    {
      config: { access: { action: 'physician.read' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Get the own profile with the active licenses',
        response: { 200: contract.profileAnswer, ...errors, ...missing },
      },
    },
    async (request) => {
      const id = ownerOf(request);
      const own = found(await findPhysician(sql, id, allowedEvent(request, id)), 'Physician');
      request.accessed.isNoted = true;
      return withLicenses(own);
    },
  );

  signed.put(
    '/physicians/me',
    {
      config: { access: { action: 'physician.update' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Change the own profile',
        description:
          'Changes contact data and the signature. Fields that are left out do not change. Only an office can change the platform and the fields that orders are signed with; their current values are accepted.',
        body: contract.physicianChanges,
        response: {
          200: contract.changedProfile,
          ...bodyErrors,
          ...missing,
          ...emailTaken,
        },
      },
    },
    async (request) => {
      const id = noteOwner(request);
      const own = found(await findPhysician(sql, id), 'Physician');
      const changes = ownChanges(own, request.body);
      const changed = await withLicenses(await withConstraintErrors(updatePhysician(sql, id, changes)));
      return { ...changed, ...withWarnings(changed.physician) };
    },
  );

  signed.post(
    '/physicians/me/signature',
    {
      config: { access: { action: 'physician.sign' } },
      preValidation,
      bodyLimit: signatureBodyLimitBytes,
      schema: {
        ...common,
        summary: 'Set the own signature',
        body: contract.signatureBody,
        response: { 200: contract.signatureAnswer, ...bodyErrors, ...missing },
      },
    },
    async (request) => {
      const { signatureImage } = request.body;
      found(await updatePhysician(sql, noteOwner(request), { signatureImage }), 'Physician');
      return { success: true as const };
    },
  );
}

function noteOwner(request: FastifyRequest): string {
  const id = ownerOf(request);
  request.accessed.records = [id];
  return id;
}

/** Fields of signed orders and of routing, which only an office can change (D96). */
const officeFields = [
  'firstName',
  'lastName',
  'suffix',
  'npi',
  'deaNumber',
  'emrPractitionerId',
  'platform',
] as const satisfies readonly (keyof PhysicianFields)[];

/**
 * The changes without the office's fields, so that a concurrent change by an office stays.
 * @throws InvalidField for another value of an office's field
 */
function ownChanges(
  own: PhysicianWithSignature,
  changes: Changes<PhysicianFields>,
): Changes<PhysicianFields> {
  for (const name of officeFields)
    if (changes[name] !== undefined && changes[name] !== own[name])
      throw new InvalidField(name, 'Can be changed by an office only');
  const isOfficeField = (name: string) => (officeFields as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !isOfficeField(name)));
}
