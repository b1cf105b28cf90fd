import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  type CustomDomain,
  deactivateDomain,
  type DomainKey,
  findDomain,
  listDomains,
  registerDomain,
} from '../../db/organization/custom-domains.js';
import { findOrganization } from '../../db/organization/organizations.js';
import { dnsRecordOf, isHostname, isPending } from '../../domain/organization/custom-domains.js';
import type { Answer } from '../../starts/runs.js';
import { activateDomain, verifyDomain } from '../../starts/organization.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, orThrow, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors, conflict, found, idOf, unavailable, unknown } from '../http-errors.js';

const common = { tags: ['Custom domains'], security: [{ adminToken: [] }] };
const params = contract.byHostname;
const base = '/v1/organizations/:id/custom-domains';
/** A DNS lookup takes at most 6 s, and may have to wait for another lookup. */
const answerWithinMs = 20_000;

/** Hostnames of an organization (page 3, Custom domains; D78). A workflow watches each one; verify and activate update it. */
export function domainRoutes(admin: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const policies = policiesOf(context);
  const access = { none: 'hostnames of an organization' };

  admin.get(
    base,
    {
      config: { policy: policies.member, access },
      schema: {
        ...common,
        summary: 'List the hostnames of an organization, deactivated ones included',
        params: contract.byId,
        response: { 200: contract.customDomainList, ...codedErrors(401, 404, 429, 500) },
      },
    },
    async ({ admin: caller, params: { id } }) => {
      const scope = organizationsOf(caller);
      const organization = found(
        await findOrganization(sql, scope, idOf(id, 'Organization')),
        'Organization',
      );
      return { customDomains: (await listDomains(sql, scope, organization.id)).map(presented) };
    },
  );

  admin.post(
    base,
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Register a hostname',
        description:
          'Answers with the DNS record that proves ownership. Scriptrail looks for the record for 72 h, and on each call of `verify`.',
        params: contract.byId,
        body: contract.newCustomDomain,
        response: {
          201: contract.registeredDomain,
          ...codedErrors(400, 401, 403, 404, 409, 413, 415, 429, 500),
        },
      },
    },
    async (request, reply) => {
      const key = {
        scope: organizationsOf(request.admin),
        organizationId: idOf(request.params.id, 'Organization'),
        hostname: request.body.hostname,
      };
      const token = `scriptrail-verify-${randomBytes(20).toString('hex')}`;
      const domain = presented(orThrow(await registerDomain(sql, key, actorOf(request), token)));
      return reply.code(201).send({ customDomain: domain, dnsRecord: domain.dnsRecord });
    },
  );

  admin.post(
    `${base}/:domain/verify`,
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Look for the DNS record now',
        description: 'Without the record the state does not change, and `reason` says why.',
        params,
        response: { 200: contract.oneCustomDomain, ...codedErrors(401, 403, 404, 409, 429, 500, 503) },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params);
      const domain = await known(key);
      if (domain.state === 'deactivated') throw conflict('The custom domain is deactivated');
      if (isPending(domain.state))
        answerOf(key, await verifyDomain(temporal, key, actorOf(request), answerWithinMs));
      return { customDomain: presented(await known(key)) };
    },
  );

  admin.post(
    `${base}/:domain/activate`,
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Activate a hostname that presents a valid certificate',
        params,
        response: {
          200: contract.oneCustomDomain,
          ...codedErrors(401, 403, 404, 409, 429, 500, 503),
        },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params);
      const { state } = await known(key);
      if (state !== 'pending_tls') throw conflict(`The custom domain is ${state}`);
      const answer = await activateDomain(temporal, key, actorOf(request), answerWithinMs);
      const { refused } = answerOf(key, answer);
      if (refused !== null) {
        // The hostname or its organization may have changed in the meantime.
        await known(key);
        throw conflict(refused);
      }
      return { customDomain: presented(await known(key)) };
    },
  );

  admin.delete(
    `${base}/:domain`,
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Deactivate a hostname',
        description: 'Allowed in any state. The record is kept, and the hostname can be registered again.',
        params,
        response: { 200: contract.oneCustomDomain, ...codedErrors(401, 403, 404, 409, 429, 500) },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params);
      return { customDomain: presented(orThrow(await deactivateDomain(sql, key, actorOf(request)))) };
    },
  );

  /** @throws HttpError 404 for an unknown hostname, 409 for one of an archived organization */
  async function known(key: DomainKey): Promise<CustomDomain> {
    const organization = found(await findOrganization(sql, key.scope, key.organizationId), 'Organization');
    const domain = found(await findDomain(sql, key), 'Custom domain');
    if (organization.status === 'archived') throw conflict('The organization is archived');
    return domain;
  }
}

function keyOf(request: FastifyRequest, { id, domain }: { id: string; domain: string }): DomainKey {
  const hostname = domain.toLowerCase();
  if (!isHostname(hostname)) throw unknown('Custom domain');
  return { scope: organizationsOf(request.admin), organizationId: idOf(id, 'Organization'), hostname };
}

/** @throws HttpError 503 without an answer in time */
function answerOf<T>({ hostname }: DomainKey, answer: Answer<T>): T {
  if (answer.state === 'completed') return answer.result;
  throw unavailable('The hostname could not be looked at in time', { hostname });
}

const presented = (domain: CustomDomain) => {
  const { hostname, verificationToken, observed: values } = domain;
  const dnsRecord = dnsRecordOf(hostname, verificationToken);
  const { type, name } = dnsRecord;
  return { ...domain, dnsRecord, observed: values && { type, name, values } };
};
