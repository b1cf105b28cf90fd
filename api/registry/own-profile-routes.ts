import { listActiveLicenses } from '../../db/registry/licenses.js';
import { findPhysician, type PhysicianWithSignature, updatePhysician } from '../../db/registry/physicians.js';
import type { App, ServiceContext } from '../context.js';
import { found, refusal } from '../refusals.js';
import { ownerOf, physicianKeysOnly } from './authorize.js';
import {
  bodyRefusals,
  common,
  emailTaken,
  physicianChanges,
  profileAnswer,
  refusals,
  signatureAnswer,
  signatureBody,
} from './contract.js';
import { unlessViolated } from './refuse.js';

/** A signature image in Base64 with room around it (D6). */
const signatureBodyLimitBytes = 5 * 1024 * 1024;
const missing = { 404: refusal.describe('The key belongs to no physician') };

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
      preValidation,
      schema: {
        ...common,
        summary: 'The own profile with the active licenses',
        response: { 200: profileAnswer, ...refusals, ...missing },
      },
    },
    async (request) => withLicenses(await findPhysician(sql, ownerOf(request))),
  );

  signed.put(
    '/physicians/me',
    {
      preValidation,
      schema: {
        ...common,
        summary: 'Change the own profile',
        description: 'Only the fields that are given change.',
        body: physicianChanges,
        response: {
          200: profileAnswer,
          ...bodyRefusals,
          ...missing,
          ...emailTaken,
        },
      },
    },
    async (request) =>
      withLicenses(await unlessViolated(updatePhysician(sql, ownerOf(request), request.body))),
  );

  signed.post(
    '/physicians/me/signature',
    {
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
      found(await updatePhysician(sql, ownerOf(request), { signatureImage }), 'Physician');
      return { success: true as const };
    },
  );
}
