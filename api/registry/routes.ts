import { z } from 'zod';
import { findActiveLicense, listActiveLicenses } from '../../db/registry/licenses.js';
import { findPhysician, listPhysicians, type PhysicianWithSignature } from '../../db/registry/physicians.js';
import { businessDay } from '../../platform/business-day.js';
import type { ServiceRoutes } from '../context.js';
import { notFound } from '../http-error.js';
import { registerSigned } from '../plugins/signed.js';
import {
  invalid,
  licensesAnswer,
  listQuery,
  physicianAnswer,
  physicianList,
  physicianParams,
  refusal,
  routeAnswer,
  routeQuery,
  verifyAnswer,
  verifyQuery,
} from './contract.js';
import { authorizePhysician, routePatients, verifyLicense } from './routing.js';

const common = { tags: ['Registry'], security: [{ signature: [] }] };
const refusals = { 401: refusal, 403: refusal, 429: refusal };

/** The physician registry's reads (page 1). */
export const registryRoutes: ServiceRoutes = async (app, context) => {
  const { sql, config } = context;
  const today = () => businessDay(config.BUSINESS_TIMEZONE);

  async function requirePhysician(id: string): Promise<PhysicianWithSignature> {
    const physician = isUuid(id) ? await findPhysician(sql, id) : undefined;
    if (!physician) throw notFound('Physician not found');
    return physician;
  }

  const encryptionKeys = config.service('registry').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'registry', encryptionKeys }, (signed) => {
    signed.get(
      '/route',
      {
        schema: {
          ...common,
          summary: 'The physician for a platform and state, or whether one physician may prescribe there',
          querystring: routeQuery,
          response: { 200: routeAnswer, 400: invalid, ...refusals },
        },
      },
      ({ query: { platform, state, physicianId } }) =>
        physicianId === undefined
          ? routePatients(sql, platform, state, today())
          : authorizePhysician(sql, isUuid(physicianId) ? physicianId : undefined, state, today()),
    );

    signed.get(
      '/physicians',
      {
        schema: {
          ...common,
          summary: 'Physicians in the order of adding, without signatures',
          querystring: listQuery,
          response: { 200: physicianList, 400: invalid, ...refusals },
        },
      },
      async ({ query: { platform, organization, active, limit, cursor } }) => {
        const filter = { platform, organization, isActive: active, after: cursor };
        const rows = await listPhysicians(sql, { ...filter, limit: limit + 1 });
        const physicians = rows.slice(0, limit);
        return { physicians, nextCursor: rows.length > limit ? (physicians.at(-1)?.position ?? null) : null };
      },
    );

    signed.get(
      '/physicians/:id',
      {
        schema: {
          ...common,
          summary: 'A physician with the active licenses',
          params: physicianParams,
          response: { 200: physicianAnswer, ...refusals, 404: refusal },
        },
      },
      async ({ params }) => {
        const physician = await requirePhysician(params.id);
        return { physician, licenses: await listActiveLicenses(sql, physician.id) };
      },
    );

    signed.get(
      '/physicians/:id/licenses',
      {
        schema: {
          ...common,
          summary: 'The active licenses of a physician',
          params: physicianParams,
          response: { 200: licensesAnswer, ...refusals, 404: refusal },
        },
      },
      async ({ params }) => {
        const { id } = await requirePhysician(params.id);
        return { licenses: await listActiveLicenses(sql, id) };
      },
    );

    signed.get(
      '/physicians/:id/verify-license',
      {
        schema: {
          ...common,
          summary: 'Whether a physician holds an active, unexpired license in a state',
          params: physicianParams,
          querystring: verifyQuery,
          response: { 200: verifyAnswer, 400: invalid, ...refusals, 404: refusal },
        },
      },
      async ({ params, query: { state } }) => {
        const { id } = await requirePhysician(params.id);
        return verifyLicense(await findActiveLicense(sql, id, state), state, today());
      },
    );
  });
};

const isUuid = (text: string): boolean => z.guid().safeParse(text).success;
