import { findArticle } from '../../db/router/articles.js';
import { findRoute, listRoutes, putRoute } from '../../db/router/routes.js';
import { scorePharmacies } from '../../db/router/scorecard.js';
import { canFill } from '../../domain/router/articles.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import type { App, ServiceContext } from '../context.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { fieldErrors } from '../http-errors.js';
import * as contract from './routing-contract.js';

const common = { tags: ['Routing'], security: [{ signature: [] }] };

const defaultWindowMs = 30 * 24 * 3_600_000;
/** The database stores none before. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z');

/**
 * Routing (page 1, Routing configuration) and the scorecard of pharmacies, for keys with the scope `admin` (D27, D102).
 * Any key can look up the route of an order (D106).
 */
export function routingRoutes(signed: App, { sql, config }: ServiceContext): void {
  const adapters = createPharmacies(config.service('router'));

  signed.get(
    '/rx/route',
    {
      config: { access: { none: 'which pharmacy serves which state' } },
      schema: {
        ...common,
        summary: 'Look up the pharmacy for an order, and whether it carries the medication',
        description: 'Orders and stores nothing. A changed route applies to the next order.',
        querystring: contract.routeQuery,
        response: { 200: contract.routeOfOrder, ...fieldErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { state, medication: name, key } }) => {
      const pharmacy = (await findRoute(sql, state.toUpperCase())) ?? null;
      const carriesMedication =
        pharmacy !== null && canFill(await findArticle(sql, adapters, pharmacy, { name, key }));
      return { pharmacy, carriesMedication };
    },
  );

  signed.get(
    '/rx/routing',
    {
      config: { access: { none: 'which pharmacy serves which state' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List all routes by state',
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
        summary: 'List the routes of a state, the active one first',
        params: contract.stateCode,
        response: { 200: contract.routeList, ...fieldErrors(400, 401, 403, 429, 500) },
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
        description: 'Applies from the next submission. Placed orders stay at their pharmacy.',
        params: contract.routedState,
        body: contract.newRoute,
        response: { 200: contract.oneRoute, ...fieldErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ params: { state }, body }) => {
      const route = { state, ...body };
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
        summary: 'Compare the performance of pharmacies over a period',
        querystring: contract.scorecardQuery,
        response: { 200: contract.scorecard, ...fieldErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({
      query: { to = new Date(), from = new Date(Math.max(to.getTime() - defaultWindowMs, earliestMs)) },
    }) => ({
      from,
      to,
      pharmacies: await scorePharmacies(sql, { from, to }),
    }),
  );
}
