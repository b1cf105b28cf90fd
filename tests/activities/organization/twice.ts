import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { claimCreation } from '../../../db/organization/creations.js';
import { putCode } from '../../../db/organization/sign-in-codes.js';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { createEmrOrganizations } from '../../../integrations/emr/organizations.js';
import { idPart } from '../../../platform/crypto/ids.js';
import { organizationActivities } from '../../../workers/organization/activities.js';
import { customDomainWorkflowId } from '../../../workflows/ids.js';
import { createTenant, eventsOf, freshSlug, newInvited } from '../../api/organization/tenants.js';
import { mailboxOf, sandbox } from '../../helpers/client.js';
import { eventOf, eventQueue, toldOutside } from '../events.js';
import { contextOf, db, dev, running, runOf } from '../real-parts.js';
import { consuming, consumingAsSink, type Entries, type Entry, type Event } from '../twice.js';

const own = organizationActivities(contextOf('organization'));
const emr = createEmrOrganizations(dev.emr);
const by = { adminId: developmentSuperadmin.id, ip: '127.0.0.1', userAgent: null };

const inEmr = async (organizationId: string) =>
  (await emr.find(organizationId, { timeoutMs: 5_000 })).map(({ name }) => name);

/** The note of an organization that is being made. @param state `discarding` is found again in an hour only */
async function creation(state: 'open' | 'discarding' = 'open') {
  const slug = freshSlug();
  const organizationId = await claimCreation(db, slug);
  if (organizationId === undefined) throw new Error('the slug is in use');
  await db`update organization.creation set state = ${state} where organization_id = ${organizationId}`;
  return { organizationId, slug };
}
const noteOf = (organizationId: string) =>
  db`select state from organization.creation where organization_id = ${organizationId}`;

/** A hostname whose next look is in an hour, and that no event has told of: no run watches it. */
async function hostname(state: 'pending_dns' | 'pending_tls' = 'pending_dns') {
  const { id: organizationId } = await createTenant();
  const name = `care-${randomUUID()}.example.test`;
  const [domain] = await db<[{ id: string }]>`
    insert into organization.custom_domain
      (organization_id, hostname, state, verification_token, watched_since, next_check_at)
    values (${organizationId}, ${name}, ${state}, 'token', now(), now() + interval '1 hour')
    returning id
  `;
  return { domainId: domain.id, hostname: name, organizationId };
}
const stateOf = (domainId: string) =>
  db`select state, checks, observed from organization.custom_domain where id = ${domainId}`;
const auditOf = async (target: string) =>
  (await db<{ action: string }[]>`select action from organization.audit_event where target = ${target}`).map(
    ({ action }) => action,
  );

const activities: Entries<typeof own> = {
  ...eventQueue('organization', 'organization.created'),
  ensureEmrOrganization: async () => {
    const organizationId = randomUUID();
    return {
      input: { organizationId, displayName: 'Clinic' },
      answers: { emrOrganizationId: expect.any(String) },
      seen: () => inEmr(organizationId),
      once: ['Clinic'],
    };
  },
  storeOrganization: async () => {
    const { organizationId: id, slug } = await creation();
    return {
      input: { id, slug, displayName: 'Clinic', kind: 'dtc', emrOrganizationId: randomUUID(), by },
      answers: { refused: null },
      seen: async () => ({
        rows: await db`select slug from organization.organization where id = ${id}`,
        events: (await eventsOf(db, id)).map(({ detailType }) => detailType),
        audit: await auditOf(`organization:${id}`),
        note: await noteOf(id),
      }),
      once: {
        rows: [{ slug }],
        events: ['organization.created'],
        audit: ['organization.created'],
        note: [],
      },
    };
  },
  // One that is old enough to be claimed would be discarded by the sweep meanwhile, so this one was claimed before.
  claimOrganizationDiscard: async () => {
    const { organizationId } = await creation('discarding');
    return {
      input: { organizationId },
      answers: true,
      seen: () => noteOf(organizationId),
      once: [{ state: 'discarding' }],
    };
  },
  deleteEmrOrganization: async () => {
    const organizationId = randomUUID();
    await running((clinic) => own.ensureEmrOrganization(clinic), { organizationId, displayName: 'Clinic' });
    return { input: { organizationId }, seen: () => inEmr(organizationId), once: [] };
  },
  forgetOrganizationCreation: async () => {
    const { organizationId } = await creation('discarding');
    return { input: { organizationId }, seen: () => noteOf(organizationId), once: [] };
  },
  readWatchedDomain: async () => {
    const { domainId, hostname: name } = await hostname();
    return {
      input: { hostname: name },
      answers: expect.objectContaining({ domainId, hostname: name, token: 'token', lastCheckedAt: null }),
    };
  },
  lookUpDomainRecord: async () => {
    const name = `${randomUUID()}.example.test`;
    const body = { name: `_verify.${name}`, type: 'TXT', values: ['token'] };
    await sandbox(dev, '/dns', { method: 'POST', body });
    return { input: { hostname: name }, answers: { values: ['token'], fault: null } };
  },
  probeDomainTls: async () => {
    const name = `${randomUUID()}.example.test`;
    await sandbox(dev, '/tls', { method: 'POST', body: { hostname: name, state: 'valid' } });
    return { input: { hostname: name }, answers: { isValid: true, fault: null } };
  },
  recordDomainLook: async () => {
    const { domainId, hostname: name } = await hostname();
    const now = Date.now();
    const watch = {
      state: 'pending_tls' as const,
      checks: 0,
      watchedSince: now,
      nextCheckAt: now + 3_600_000,
    };
    return {
      input: {
        domainId,
        from: 'pending_dns',
        watch,
        observed: ['token'],
        reason: null,
        checkedAt: now,
        by,
      },
      seen: async () => ({
        domain: await stateOf(domainId),
        audit: await auditOf(`custom_domain:${name}`),
      }),
      once: {
        domain: [{ state: 'pending_tls', checks: 0, observed: ['token'] }],
        audit: ['organization.custom_domain_verified'],
      },
    };
  },
  activateCustomDomain: async () => {
    const { domainId, organizationId, hostname: name } = await hostname('pending_tls');
    return {
      input: { domainId, by },
      answers: true,
      seen: async () => ({
        domain: await stateOf(domainId),
        events: (await eventsOf(db, organizationId)).map(({ detailType }) => detailType),
        audit: await auditOf(`custom_domain:${name}`),
      }),
      once: {
        domain: [expect.objectContaining({ state: 'active' })],
        events: ['organization.created', 'organization.custom_domain_activated'],
        audit: ['organization.custom_domain_activated'],
      },
    };
  },
  mailSignInCode: async () => {
    const { email } = await newInvited();
    const codeId = randomUUID();
    await putCode(db, {
      address: codeId,
      budget: codeId,
      budgetInAll: `${codeId} in all`,
      id: codeId,
      codeHash: 'hash',
      maxPerWindow: 1,
    });
    return {
      input: { codeId, email, code: '482915', attempt: 1 },
      answers: 'sent',
      seen: async () =>
        (await mailboxOf<{ text: string }>(dev, email)).filter(({ text }) => text.includes('482915')).length,
      once: 1,
    };
  },
};

/** The one run that watches the hostname, which a second event finds there. */
const watching = (detailType: string) => async (): Promise<Event> => {
  const { hostname: name, organizationId } = await hostname();
  return {
    event: eventOf('organization', detailType, { hostname: name }, organizationId),
    seen: () => runOf(customDomainWorkflowId(idPart(name))),
    once: expect.any(String),
  };
};

export const organization: Record<string, Entry> = {
  ...activities,
  ...consuming('organization', {
    'organization.custom_domain_registered': watching('organization.custom_domain_registered'),
    'organization.custom_domain_deactivated': watching('organization.custom_domain_deactivated'),
  }),
  ...consumingAsSink(toldOutside('organization')),
};
