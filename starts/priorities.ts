import type { Priority } from '@temporalio/common';

/**
 * Which tasks of a queue with a backlog go first: of 1 to 5 the lower, where 3 is what runs have that say nothing; and of
 * one number each client's in turn, so that one with thousands holds up nobody else. Activities and children have what
 * their run has. A server that knows neither, or has them switched off, takes its tasks as they come.
 */

/** Somebody waits at the other end. @param client the id of its key, or nobody's where it was not over the API */
export const approvals = (client: string | undefined): Priority => ({ priorityKey: 2, ...shareOf(client) });

/** Orders of a client: approvals and refills alike, as the router cannot tell. */
export const submissions = (client: string): Priority => shareOf(client);

/** Due some time today. */
export const refills: Priority = { priorityKey: 4 };

/** What looks for something to do, or tidies up: nobody waits. */
export const sweeps: Priority = { priorityKey: 5 };

/** Ids of keys are 64 characters at most, which is what the server takes, and say nothing of a person. */
const shareOf = (client: string | undefined): Priority =>
  client === undefined ? {} : { fairnessKey: client };
