import type { Priority } from '@temporalio/common';

/**
 * The order of tasks in a queue with a backlog. Priorities run from 1 (first) to 5; the default is 3. Within one
 * priority, clients take turns, so that a large client delays no other. Activities and child workflows inherit it. A
 * server without these features takes tasks in order.
 */

/** A caller waits. @param client the id of its API key; undefined for a start without the API */
export const approvals = (client: string | undefined): Priority => ({ priorityKey: 2, ...shareOf(client) });

/** A client's orders: approvals and refills alike, since the router cannot distinguish them. */
export const submissions = (client: string): Priority => shareOf(client);

/** Due by the end of the day. */
export const refills: Priority = { priorityKey: 4 };

/** Background checks and cleanup, for which no caller waits. */
export const sweeps: Priority = { priorityKey: 5 };

/** A key id has at most the 64 characters that the server allows, and identifies no person. */
const shareOf = (client: string | undefined): Priority =>
  client === undefined ? {} : { fairnessKey: client };
