import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Actor } from '../domain/organization/actor.js';
import { idPart } from '../platform/crypto/ids.js';
import {
  createOrganizationWorkflowId,
  customDomainWorkflowId,
  discardOrganizationWorkflowId,
  signInCodeWorkflowId,
} from '../workflows/ids.js';
import { activateUpdate, verifyUpdate } from '../workflows/messages.js';
import { rxOrganization } from '../workflows/search-attributes.js';
import { updateWithStart, startOrJoin, signalRecheck, type Run } from './runs.js';

/**
 * Creates an organization here and in the EMR (D79). Every request has a purpose of its own, so only the first one
 * creates it.
 */
export const createOrganization = (
  temporal: Client,
  creation: Run<'createOrganization'>['args'][0],
  withinMs: number,
) =>
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

/** Checks a hostname now; the table has the result (D78). */
export const verifyDomain = (temporal: Client, hostname: Hostname, by: Actor, withinMs: number) =>
  updateWithStart(temporal, watching(hostname), { update: verifyUpdate, args: [by], withinMs });

/** Activates a hostname, if it presents a valid certificate now (D78). */
export const activateDomain = (temporal: Client, hostname: Hostname, by: Actor, withinMs: number) =>
  updateWithStart(temporal, watching(hostname), { update: activateUpdate, args: [by], withinMs });

/** Signals the run that watches a hostname to check its row. */
export const recheckDomain = (temporal: Client, hostname: Hostname) =>
  signalRecheck(temporal, watching(hostname));

/** Deletes an unfinished organization that no run has resumed. */
export async function discardOrganization(temporal: Client, organizationId: string): Promise<void> {
  const run: Run<'discardOrganization'> = {
    workflow: 'discardOrganization',
    id: discardOrganizationWorkflowId(organizationId),
    queue: 'organization',
    args: [organizationId],
    summary: 'Delete an unfinished organization',
  };
  await startOrJoin(temporal, run, 0);
}

/** Mails a sign-in code to an admin until it expires, without waiting (D72). */
export async function mailSignInCode(
  temporal: Client,
  signIn: Run<'sendSignInCode'>['args'][0],
): Promise<void> {
  const run: Run<'sendSignInCode'> = {
    workflow: 'sendSignInCode',
    id: signInCodeWorkflowId(signIn.codeId),
    queue: 'organization',
    args: [signIn],
    summary: 'Mail a sign-in code',
  };
  await startOrJoin(temporal, run, 0);
}
