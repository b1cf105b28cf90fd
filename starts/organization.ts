import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Actor } from '../domain/organization/actor.js';
import type { Activation } from '../domain/organization/custom-domains.js';
import { idPart } from '../platform/crypto/ids.js';
import {
  createOrganizationWorkflowId,
  customDomainWorkflowId,
  discardOrganizationWorkflowId,
  signInCodeWorkflowId,
} from '../workflows/ids.js';
import { activateUpdate, verifyUpdate } from '../workflows/messages.js';
import { rxOrganization } from '../workflows/search-attributes.js';
import { type Answer, updateWithStart, startOrJoin, signalRecheck, type Outcome, type Run } from './runs.js';

/**
 * Makes an organization here and in the EMR (D79). Whoever is making it already goes on with it alone: every request is
 * a purpose of its own.
 */
export const createOrganization = (
  temporal: Client,
  creation: Run<'createOrganization'>['args'][0],
  withinMs: number,
): Promise<Outcome<void>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'createOrganization',
      id: createOrganizationWorkflowId(creation.id),
      queue: 'organization',
      args: [creation],
      purpose: randomUUID(),
      once: true,
      attributes: [{ key: rxOrganization, value: creation.id }],
      summary: `Create organization ${creation.slug}`,
      details: `**Organization** ${creation.id}, ${creation.kind}`,
    },
    withinMs,
  );

interface Hostname {
  hostname: string;
  organizationId: string | null;
}

const watching = ({ hostname, organizationId }: Hostname): Run<'verifyCustomDomain'> => ({
  workflow: 'verifyCustomDomain',
  id: customDomainWorkflowId(idPart(hostname)),
  queue: 'organization',
  args: [hostname],
  ...(organizationId === null ? {} : { attributes: [{ key: rxOrganization, value: organizationId }] }),
  summary: `Custom domain ${hostname}`,
  details: 'Watches for the DNS record, then for the certificate, for 72 h each.',
});

/** Looks now for what a hostname awaits; what it shows stands in the table (D78). */
export const verifyDomain = (
  temporal: Client,
  hostname: Hostname,
  by: Actor,
  withinMs: number,
): Promise<Answer<undefined>> =>
  updateWithStart(temporal, watching(hostname), { update: verifyUpdate, args: [by], withinMs });

/** Activates a hostname, if it presents a valid certificate now (D78). */
export const activateDomain = (
  temporal: Client,
  hostname: Hostname,
  by: Actor,
  withinMs: number,
): Promise<Answer<Activation>> =>
  updateWithStart(temporal, watching(hostname), { update: activateUpdate, args: [by], withinMs });

/** Tells the run that watches a hostname to look at the table again. */
export const recheckDomain = (temporal: Client, hostname: Hostname): Promise<void> =>
  signalRecheck(temporal, watching(hostname));

/** Takes back an organization that was being made and that nobody has gone on with. */
export async function discardOrganization(temporal: Client, organizationId: string): Promise<void> {
  const run: Run<'discardOrganization'> = {
    workflow: 'discardOrganization',
    id: discardOrganizationWorkflowId(organizationId),
    queue: 'organization',
    args: [organizationId],
    summary: 'Take back an organization that was never finished',
  };
  await startOrJoin(temporal, run, 0);
}

/** Mails a code for signing in to an admin, for as long as it can be entered; nobody waits for it (D72). */
export async function mailSignInCode(
  temporal: Client,
  signIn: Run<'sendSignInCode'>['args'][0],
): Promise<void> {
  const run: Run<'sendSignInCode'> = {
    workflow: 'sendSignInCode',
    id: signInCodeWorkflowId(signIn.codeId),
    queue: 'organization',
    args: [signIn],
    summary: 'Mail a code for signing in',
  };
  await startOrJoin(temporal, run, 0);
}
