import { randomBytes } from 'node:crypto';
import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/organization/actor.js';
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
import { idPart } from '../../platform/crypto/ids.js';
import { customDomainWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxOrganization } from '../../workflows/search-attributes.js';
import type { Activation } from '../../domain/organization/custom-domains.js';
import type { verifyCustomDomain } from '../../workflows/organization/verify-custom-domain.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { unlessRefused } from './unless-refused.js';
import { codedErrors, conflict, idOf, unavailable, unknown } from '../refusals.js';

const tags = ['Custom domains'];
const security = [{ adminToken: [] }];
const params = contract.byHostname;
const base = '/v1/organizations/:id/custom-domains';
/** A look takes 6 s at most, and may have to wait for another. */
const answerWithinMs = 20_000;

/** Hostnames of an organization (page 3, D78). A durable run watches them; verify and activate make it look at once. */
export function domainRoutes(admin: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const policies = policiesOf(context);

  admin.get(
    base,
    {
      config: { policy: policies.member },
      schema: {
        tags,
        security,
        summary: 'The hostnames of an organization, deactivated ones too',
        params: contract.byId,
        response: { 200: contract.customDomainList, ...codedErrors(401, 404, 429, 500) },
      },
    },
    async ({ admin: caller, params: { id } }) => {
      const scope = organizationsOf(caller);
      const organization = await findOrganization(sql, scope, idOf(id, 'Organization'));
      if (!organization) throw unknown('Organization');
      return { customDomains: (await listDomains(sql, scope, organization.id)).map(presented) };
    },
  );

  admin.post(
    base,
    {
      config: { policy: policies.orgAdmin },
      schema: {
        tags,
        security,
        summary: 'Register a hostname',
        description:
          'Answers with the DNS record that proves ownership; it is looked for by itself for 72 h, and whenever `verify` is asked.',
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
      const domain = presented(unlessRefused(await registerDomain(sql, key, actorOf(request), token)));
      return reply.code(201).send({ customDomain: domain, dnsRecord: domain.dnsRecord });
    },
  );

  admin.post(
    `${base}/:domain/verify`,
    {
      config: { policy: policies.orgAdmin },
      schema: {
        tags,
        security,
        summary: 'Look for the DNS record now',
        description: 'Without the record the state stays as it is, and `reason` says why.',
        params,
        response: { 200: contract.oneCustomDomain, ...codedErrors(401, 403, 404, 409, 429, 500, 503) },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params);
      const domain = await known(key);
      if (domain.state === 'deactivated') throw conflict('The custom domain is deactivated');
      if (isPending(domain.state)) await ask<undefined>(temporal, 'verify', key, actorOf(request));
      return { customDomain: presented(await known(key)) };
    },
  );

  admin.post(
    `${base}/:domain/activate`,
    {
      config: { policy: policies.orgAdmin },
      schema: {
        tags,
        security,
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
      const { refused } = await ask<Activation>(temporal, 'activate', key, actorOf(request));
      if (refused !== null) {
        await known(key); // it may have become nobody's, or an archived organization's, in the meantime
        throw conflict(refused);
      }
      return { customDomain: presented(await known(key)) };
    },
  );

  admin.delete(
    `${base}/:domain`,
    {
      config: { policy: policies.orgAdmin },
      schema: {
        tags,
        security,
        summary: 'Give a hostname up',
        description: 'In whatever state it is; its row is kept, and it may be registered again.',
        params,
        response: { 200: contract.oneCustomDomain, ...codedErrors(401, 403, 404, 409, 429, 500) },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params);
      return { customDomain: presented(unlessRefused(await deactivateDomain(sql, key, actorOf(request)))) };
    },
  );

  /** @throws Refused 404 for an unknown one, 409 for one of an archived organization */
  async function known(key: DomainKey): Promise<CustomDomain> {
    const organization = await findOrganization(sql, key.scope, key.organizationId);
    if (!organization) throw unknown('Organization');
    const domain = await findDomain(sql, key);
    if (!domain) throw unknown('Custom domain');
    if (organization.status === 'archived') throw conflict('The organization is archived');
    return domain;
  }
}

function keyOf(request: FastifyRequest, { id, domain }: { id: string; domain: string }): DomainKey {
  const hostname = domain.toLowerCase();
  if (!isHostname(hostname)) throw unknown('Custom domain');
  return { scope: organizationsOf(request.admin), organizationId: idOf(id, 'Organization'), hostname };
}

/**
 * Has the run that watches a hostname do something now, and starts it where there is none.
 * @throws Refused 503 when an outage of our own keeps the answer away
 */
async function ask<T>(
  temporal: Client,
  update: 'verify' | 'activate',
  { hostname, organizationId }: DomainKey,
  by: Actor,
): Promise<T> {
  const deadline = Date.now() + answerWithinMs;
  for (;;) {
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof verifyCustomDomain>(
      'verifyCustomDomain',
      {
        workflowId: customDomainWorkflowId(idPart(hostname)),
        taskQueue: taskQueues.organization,
        workflowIdConflictPolicy: 'USE_EXISTING',
        args: [hostname],
        typedSearchAttributes: [{ key: rxOrganization, value: organizationId }],
        staticSummary: `Custom domain ${hostname}`,
        staticDetails: 'Watches for the DNS record, then for the certificate, for 72 h each.',
      },
    );
    try {
      return await temporal.withDeadline(deadline, () =>
        temporal.workflow.executeUpdateWithStart<typeof verifyCustomDomain, T, [Actor]>(update, {
          args: [by],
          startWorkflowOperation,
        }),
      );
    } catch (error) {
      if (Date.now() >= deadline) throw tooLate();
      if (!hasMissed(error)) throw error;
    }
  }
}

/** The run ended at the very moment it was asked: the next one will do. */
const hasMissed = (error: unknown): boolean => {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
  return (
    (isGrpcServiceError(cause) && [notFoundCode, abortedCode].includes(cause.code)) ||
    (cause as { type?: unknown } | undefined)?.type === 'AcceptedUpdateCompletedWorkflow'
  );
};
const notFoundCode = 5;
const abortedCode = 10;

const tooLate = () => unavailable('The hostname could not be looked at in time');

const presented = (domain: CustomDomain) => {
  const { hostname, state, verificationToken, observed, reason, lastCheckedAt, nextCheckAt } = domain;
  const dnsRecord = dnsRecordOf(hostname, verificationToken);
  const { type, name } = dnsRecord;
  return {
    hostname,
    state,
    dnsRecord,
    observed: observed === null ? null : { type, name, values: observed },
    lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
    reason,
  };
};
