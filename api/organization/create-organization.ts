import type { Actor } from '../../domain/organization/actor.js';
import { claimCreation, type NewOrganization } from '../../db/organization/creations.js';
import { findOrganization, type Organization, slugInUse } from '../../db/organization/organizations.js';
import { failureTypes } from '../../domain/failures.js';
import * as starts from '../../starts/organization.js';
import type { ServiceContext } from '../context.js';
import { refusedWith } from '../http-error.js';
import { endOf, runFailed, Unfinished } from '../outcomes.js';
import { done } from './errors.js';

/** Four times the EMR's whole budget: what takes longer is an outage of our own. */
const answerWithinMs = 60_000;

/**
 * Makes an organization here and in the EMR (D79).
 * @throws HttpError 409 for a slug in use or being taken, 502 without the EMR; Unfinished
 */
export async function createOrganization(
  { sql, temporal }: ServiceContext,
  request: Omit<NewOrganization, 'id'>,
  by: Actor,
): Promise<Organization> {
  const id = await claimCreation(sql, request.slug);
  if (id === undefined) return done<Organization>(slugInUse);
  const outcome = await starts.createOrganization(temporal, { ...request, id, by }, answerWithinMs);
  const ids = { organizationId: id };
  if (outcome.state === 'late') throw new Unfinished('The organization is still being created', ids);
  const end = endOf(outcome, {
    what: 'creation of the organization',
    ids,
    conflict: refusedWith(409, 'conflict', 'An organization with this slug is being created'),
  });
  if (end.state === 'failed') {
    const { type, message } = end.failure;
    switch (type) {
      case failureTypes.slugTaken:
        throw refusedWith(409, 'conflict', message);
      case failureTypes.rejected:
      case failureTypes.unavailable:
        throw refusedWith(502, 'emr_unavailable', message);
      default:
        throw runFailed(end.failure);
    }
  }
  const organization = await findOrganization(sql, 'all', id);
  if (!organization) throw new Error('The created organization is not there');
  return organization;
}
