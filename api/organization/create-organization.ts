import type { Actor } from '../../domain/organization/actor.js';
import { claimCreation, type NewOrganization } from '../../db/organization/creations.js';
import { findOrganization, type Organization, slugInUse } from '../../db/organization/organizations.js';
import { failureTypes } from '../../domain/failures.js';
import * as starts from '../../starts/organization.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, HttpError, unavailable } from '../http-errors.js';

/** Four times the total timeout of the EMR calls. */
const answerWithinMs = 60_000;

/**
 * Creates an organization here and in the EMR (D79).
 * @throws HttpError 409 for a slug in use, 502 when the EMR is unavailable, 503 without a result in time
 */
export async function createOrganization(
  { sql, temporal }: ServiceContext,
  request: Omit<NewOrganization, 'id'>,
  by: Actor,
): Promise<Organization> {
  const id = await claimCreation(sql, request.slug);
  if (id === undefined) throw conflict(slugInUse.why);
  const outcome = await starts.createOrganization(temporal, { ...request, id, by }, answerWithinMs);
  const ids = { organizationId: id };
  if (outcome.state === 'timed_out') throw unavailable('The organization is still being created', ids);
  const end = endOf(outcome, {
    what: 'creation of the organization',
    ids,
    conflict: conflict('An organization with this slug is being created'),
  });
  if (end.state === 'failed') {
    const { type, message } = end.failure;
    switch (type) {
      case failureTypes.slugTaken:
        throw conflict(message);
      case failureTypes.rejected:
      case failureTypes.unavailable:
        throw new HttpError(502, message, { code: 'emr_unavailable' });
      default:
        throw runFailed(end.failure);
    }
  }
  const organization = await findOrganization(sql, 'all', id);
  if (!organization) throw new Error('The created organization is missing');
  return organization;
}
