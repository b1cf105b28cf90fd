import { listRoutes, putRoute } from '../../db/router/routes.js';
import { scorePharmacies } from '../../db/router/scorecard.js';
import type { App, ServiceContext } from '../context.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { fieldErrors } from '../refusals.js';
import * as contract from './contract.js';

const common = { tags: ['Routing'], security: [{ signature: [] }] };

const defaultWindowMs = 30 * 24 * 3_600_000;

/** Which pharmacy serves which state, and how well (page 1, Routing configuration), for keys of the scope `admin` (D27, D102). */
export function routingRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/rx/routing',
    {
      config: { access: { none: 'which pharmacy serves which state' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'All routes, by state',
        response: { 200: contract.routeList, ...fieldErrors(401, 403, 429, 500) },
      },
    },
    async () => ({ routes: await listRoutes(sql) }),
  );

  signed.get(
    '/rx/routing/:state',
    {
      config: { access: { none: 'which pharmacy serves which state' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'The routes of a state, the one in force first',
        params: contract.stateCode,
        response: {
          200: contract.routeList,
          ...fieldErrors(400, 401, 403, 429, 500),
        },
      },
    },
    async ({ params: { state } }) => ({ routes: await listRoutes(sql, state) }),
  );

  signed.put(
    '/rx/routing/:state',
    {
      config: { access: { none: 'which pharmacy serves which state' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Add or replace the route of a state and pharmacy',
        description: 'Counts for the next submission; orders already placed stay where they are.',
        params: contract.stateCode,
        body: contract.newRoute,
        response: {
          200: contract.oneRoute,
          ...fieldErrors(400, 401, 403, 413, 415, 429, 500),
        },
      },
    },
    async ({ params: { state }, body: { pharmacy, priority, isActive } }) => {
      const route = { state, pharmacy, priority, isActive };
      await putRoute(sql, route);
      return { route };
    },
  );

  signed.get(
    '/rx/pharmacies/scorecard',
    {
      config: { access: { none: 'counts and times of pharmacies' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'How the pharmacies did with what was submitted in a time',
        querystring: contract.scorecardQuery,
        response: { 200: contract.scorecard, ...fieldErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { to = new Date(), from = new Date(to.getTime() - defaultWindowMs) } }) => ({
      from: from.toISOString(),
      to: to.toISOString(),
      pharmacies: await scorePharmacies(sql, { from, to }),
    }),
  );
}
