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
import {
  bodyRefusals,
  changedProfile,
  common,
  emailTaken,
  physicianChanges,
  profileAnswer,
  refusals,
  signatureAnswer,
  signatureBody,
} from './contract.js';
import { unlessViolated } from './refuse.js';
import { withWarnings } from './warnings.js';

/** A signature image in Base64 with room around it (D6). */
const signatureBodyLimitBytes = 5 * 1024 * 1024;
const missing = { 404: httpError.describe('The key belongs to no physician') };

/** What a physician does with the own profile; whose it is says the key (page 1, Registry endpoints; D50). */
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
        summary: 'The own profile with the active licenses',
        response: { 200: profileAnswer, ...refusals, ...missing },
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
          'Contact data and signature; only the fields that are given change. What orders are signed with, and the platform, an office changes: here only the value that is there already passes.',
        body: physicianChanges,
        response: {
          200: changedProfile,
          ...bodyRefusals,
          ...missing,
          ...emailTaken,
        },
      },
    },
    async (request) => {
      const id = noteOwner(request);
      const own = found(await findPhysician(sql, id), 'Physician');
      const changes = unlessSigning(own, request.body);
      const changed = await withLicenses(await unlessViolated(updatePhysician(sql, id, changes)));
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
        body: signatureBody,
        response: { 200: signatureAnswer, ...bodyRefusals, ...missing },
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

/** What orders are signed with, and who is asked for them: an office's to change (D96). */
const signing = [
  'firstName',
  'lastName',
  'suffix',
  'npi',
  'deaNumber',
  'emrPractitionerId',
  'platform',
] as const satisfies readonly (keyof PhysicianFields)[];

/**
 * The changes that a physician may make. A value that is there already is left out of them, so that what an office
 * changes meanwhile is not set back.
 * @throws InvalidField for any other
 */
function unlessSigning(
  own: PhysicianWithSignature,
  changes: Changes<PhysicianFields>,
): Changes<PhysicianFields> {
  for (const name of signing)
    if (changes[name] !== undefined && changes[name] !== own[name])
      throw new InvalidField(name, 'Can be changed by an office only');
  const isSigning = (name: string) => (signing as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !isSigning(name)));
}
