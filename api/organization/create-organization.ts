import {
  ApplicationFailure,
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { Actor } from '../../domain/organization/actor.js';
import { claimCreation, type NewOrganization } from '../../db/organization/creations.js';
import { findOrganization, type Organization, slugInUse } from '../../db/organization/organizations.js';
import { failureTypes } from '../../domain/failures.js';
import type { createOrganization as workflow } from '../../workflows/organization/create-organization.js';
import { createOrganizationWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxOrganization } from '../../workflows/search-attributes.js';
import type { ServiceContext } from '../context.js';
import { conflict, Refused, unavailable } from '../refusals.js';

/** Four times the EMR's whole budget: what takes longer is an outage of our own. */
const answerWithinMs = 60_000;

/**
 * Makes an organization here and in the EMR (D79).
 * @throws Refused 409 for a slug in use or being taken, 502 without the EMR, 503 when an outage of our own keeps the
 * answer away (the run goes on)
 */
export async function createOrganization(
  { sql, temporal }: ServiceContext,
  request: Omit<NewOrganization, 'id'>,
  by: Actor,
): Promise<Organization> {
  const id = await claimCreation(sql, request.slug);
  if (id === undefined) throw conflict(slugInUse.why);
  const handle = await start(temporal, { ...request, id }, by);
  const deadline = Date.now() + answerWithinMs;
  try {
    await temporal.withDeadline(deadline, () => handle.result());
  } catch (error) {
    if (!(error instanceof WorkflowFailedError) && Date.now() >= deadline) throw stillUnderWay();
    throw refusalOf(error);
  }
  const organization = await findOrganization(sql, 'all', id);
  if (!organization) throw new Error('The created organization is not there');
  return organization;
}

/** @throws Refused 409 while another request makes an organization with this slug */
async function start(
  temporal: Client,
  request: NewOrganization,
  by: Actor,
): Promise<WorkflowHandle<typeof workflow>> {
  try {
    return await temporal.workflow.start<typeof workflow>('createOrganization', {
      workflowId: createOrganizationWorkflowId(request.id),
      taskQueue: taskQueues.organization,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      requestEagerStart: true,
      args: [{ ...request, by }],
      typedSearchAttributes: [{ key: rxOrganization, value: request.id }],
      staticSummary: `Create organization ${request.slug}`,
      staticDetails: `**Organization** ${request.id}, ${request.kind}`,
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      throw conflict('An organization with this slug is being created');
    throw error;
  }
}

/** The answer that a failed run stands for; what it cannot tell, as it came. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) return error;
  const { type, message } = error.cause;
  switch (type) {
    case failureTypes.slugTaken:
      return conflict(message);
    case failureTypes.rejected:
    case failureTypes.unavailable:
      return new Refused(502, message, { code: 'emr_unavailable' });
    default:
      return error;
  }
}

const stillUnderWay = () => unavailable('The organization is still being created');
