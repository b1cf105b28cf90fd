import { findActiveLicense, listActiveLicenses } from '../../db/registry/licenses.js';
import { findPhysician, findPhysicianStatus, listPhysicians } from '../../db/registry/physicians.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import {
  common,
  idParams,
  invalid,
  licensesAnswer,
  listQuery,
  physicianList,
  profileAnswer,
  refusal,
  refusals,
  routeAnswer,
  routeQuery,
  verifyAnswer,
  verifyQuery,
} from './contract.js';
import { isUuid, physicianNotFound } from './refusals.js';
import { authorizePhysician, routePatients, verifyLicense } from './route-patients.js';

/** What every key of the registry may ask (page 1, Registry endpoints; D50). */
export function reads(signed: App, { sql, config }: ServiceContext): void {
  const today = () => businessDay(config.BUSINESS_TIMEZONE);

  async function requireKnown(id: string): Promise<string> {
    const physician = isUuid(id) ? await findPhysicianStatus(sql, id) : undefined;
    if (!physician) throw physicianNotFound();
    return physician.id;
  }

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
        params: idParams,
        response: { 200: profileAnswer, ...refusals, 404: refusal },
      },
    },
    async ({ params }) => {
      const physician = isUuid(params.id) ? await findPhysician(sql, params.id) : undefined;
      if (!physician) throw physicianNotFound();
      return { physician, licenses: await listActiveLicenses(sql, physician.id) };
    },
  );

  signed.get(
    '/physicians/:id/licenses',
    {
      schema: {
        ...common,
        summary: 'The active licenses of a physician',
        params: idParams,
        response: { 200: licensesAnswer, ...refusals, 404: refusal },
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
      schema: {
        ...common,
        summary: 'Whether a physician holds an active, unexpired license in a state',
        params: idParams,
        querystring: verifyQuery,
        response: { 200: verifyAnswer, 400: invalid, ...refusals, 404: refusal },
      },
    },
    async ({ params, query: { state } }) => {
      const id = await requireKnown(params.id);
      return verifyLicense(await findActiveLicense(sql, id, state), state, today());
    },
  );
}
