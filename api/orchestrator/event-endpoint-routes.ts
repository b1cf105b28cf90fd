import {
  type EventEndpoint,
  findEndpoint,
  putEndpoint,
  removeEndpoint,
  resumeEndpoint,
} from '../../db/orchestrator/event-endpoints.js';
import { hasSequence } from '../../db/orchestrator/events.js';
import { testEndpoint } from '../../starts/event-endpoints.js';
import type { App, ServiceContext } from '../context.js';
import { found, InvalidField, issueErrors, unavailable, unknown } from '../http-errors.js';
import { requireTls } from '../receivers.js';
import * as contract from './event-endpoint-contract.js';

const common = { tags: ['Events'], security: [{ signature: [] }] };
const access = { none: 'an address of the client’s own system' } as const;
const path = '/orchestrator/event-endpoint';
const what = 'Endpoint';
/** A delivery that is under way ends first. */
const testWithinMs = 30_000;

/** Where a client's events are delivered (D130). */
export function eventEndpointRoutes(signed: App, { sql, temporal, config }: ServiceContext): void {
  signed.put(
    path,
    {
      config: { access },
      schema: {
        ...common,
        summary: "Set the endpoint of the client's events",
        description:
          'A new endpoint begins after the newest event, a changed one continues where it stopped and tries at once. Deliveries are POSTs of `{events}`, 1 to 100 in order, signed with the key that sets it. Respond 2xx once you have stored them; after any other answer the same bytes come again under the same `webhook-id`.',
        body: contract.newEndpoint,
        response: { 200: contract.oneEndpoint, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ body, whose: { client }, apiKey }) => {
      requireTls('url', body.url, config, config.service('orchestrator'));
      return presented(await putEndpoint(sql, { ...body, client, keyId: apiKey.id }));
    },
  );

  signed.get(
    path,
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Read the endpoint',
        description:
          '`failing` means no 2xx for an hour, and `lastError` says why. Deliveries are tried on; a rewind to `deliveredUpTo` tries at once. `disabled` delivers nothing and loses nothing.',
        response: { 200: contract.oneEndpoint, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ whose: { client } }) => presented(await findEndpoint(sql, client)),
  );

  signed.delete(
    path,
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Remove the endpoint',
        description:
          'Deliveries end. Events can still be read; a later endpoint begins after the newest one, so rewind it if it must not miss any.',
        response: { 204: contract.removed, ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500) },
      },
    },
    async ({ whose: { client } }, reply) => {
      if (!(await removeEndpoint(sql, client))) throw unknown(what);
      return reply.code(204).send(null);
    },
  );

  signed.post(
    `${path}/rewind`,
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Continue after another event',
        description:
          'For a receiver that has lost events. Goes back or on, and delivers from there at once; a disabled endpoint is enabled.',
        body: contract.rewinding,
        response: { 200: contract.oneEndpoint, ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500) },
      },
    },
    async ({ body: { after }, whose: { client } }) => {
      found(await findEndpoint(sql, client), what);
      if (after > 0 && !(await hasSequence(sql, client, after)))
        throw new InvalidField('after', 'Must be 0 or the sequence of an event');
      return presented(await resumeEndpoint(sql, client, after));
    },
  );

  signed.post(
    `${path}/test`,
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Deliver a test event',
        description:
          'Sends one event of type `test` with sequence 0, which moves nothing. `status` is what your receiver answered. 503: a delivery is under way; ask again.',
        response: { 200: contract.testDelivery, ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500, 503) },
      },
    },
    async ({ whose: { client } }) => {
      found(await findEndpoint(sql, client), what);
      const answer = await testEndpoint(temporal, client, testWithinMs);
      if (answer.state !== 'completed') throw unavailable();
      return found(answer.result ?? undefined, what);
    },
  );
}

function presented(known: EventEndpoint | undefined) {
  const { failingSince, ...endpoint } = found(known, what);
  return { endpoint: { ...endpoint, failingSince: failingSince?.toISOString() ?? null } };
}
