import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { CreationActivities, CreationRequest } from '../../../activities/organization/creation.js';
import { failureTypes } from '../../../domain/failures.js';
import type { createOrganization } from '../../../workflows/organization/create-organization.js';
import type { discardOrganization } from '../../../workflows/organization/discard-organization.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, outage, refusal } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

const databaseOutage = () => {
  throw new Error('the database is away');
};

/** As functions, which a test may take out and put others in the place of. */
type Activities = {
  [K in keyof CreationActivities]: (
    input: Parameters<CreationActivities[K]>[0],
  ) => ReturnType<CreationActivities[K]>;
};

/** The EMR by our id, our table and the notes, as activities that may be replaced. */
function world() {
  const emr = new Map<string, string>();
  const stored: (CreationRequest & { emrOrganizationId: string })[] = [];
  const notes = new Map<string, 'open' | 'discarding'>();
  const activities: Activities = {
    ensureEmrOrganization: async ({ organizationId }) => {
      const emrOrganizationId = emr.get(organizationId) ?? randomUUID();
      emr.set(organizationId, emrOrganizationId);
      return { emrOrganizationId };
    },
    storeOrganization: async (organization) => {
      if (stored.some(({ id }) => id === organization.id)) return { refused: null };
      if (!notes.delete(organization.id)) return { refused: 'given up' };
      stored.push(organization);
      return { refused: null };
    },
    claimOrganizationDiscard: async ({ organizationId }) => {
      if (notes.has(organizationId)) notes.set(organizationId, 'discarding');
      return notes.has(organizationId);
    },
    deleteEmrOrganization: async ({ organizationId }) => void emr.delete(organizationId),
    forgetOrganizationCreation: async ({ organizationId }) => void notes.delete(organizationId),
  };
  return { emr, stored, notes, activities };
}

const requestOf = (id: string): CreationRequest => ({
  id,
  slug: 'clinic',
  displayName: 'Clinic',
  kind: 'dtc',
  by: { adminId: randomUUID(), ip: '127.0.0.1', userAgent: null },
});

async function create(id: string, { notes, activities }: ReturnType<typeof world>): Promise<unknown> {
  notes.set(id, 'open');
  const taskQueue = `organization-${randomUUID()}`;
  return time
    .withWorker(taskQueue, activities, () =>
      time.env.client.workflow.execute<typeof createOrganization>('createOrganization', {
        workflowId: `organization-create:${id}`,
        taskQueue,
        args: [requestOf(id)],
      }),
    )
    .catch((error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error));
}

describe('an organization that is created', () => {
  it('is stored with the id that the EMR gave', async () => {
    const [id, all] = [randomUUID(), world()];
    expect(await create(id, all)).toBeUndefined();
    expect(all.stored).toEqual([
      { ...requestOf(id), by: expect.anything(), emrOrganizationId: all.emr.get(id) },
    ]);
  });

  it('fails after three tries when the EMR is away, with nothing stored, and the note for a retry', async () => {
    const [id, all] = [randomUUID(), world()];
    let tries = 0;
    all.activities.ensureEmrOrganization = async () => (tries++, outage());
    expect(await create(id, all)).toMatchObject({ type: failureTypes.unavailable });
    expect([tries, all.stored, all.notes.get(id)]).toEqual([3, [], 'open']);
  });

  it('fails at once when the EMR refuses it', async () => {
    const [id, all] = [randomUUID(), world()];
    let tries = 0;
    all.activities.ensureEmrOrganization = async () => (tries++, refusal()());
    expect(await create(id, all)).toMatchObject({ type: failureTypes.rejected });
    expect([tries, all.stored]).toEqual([1, []]);
  });

  it('goes on with what the EMR made in a try whose answer was lost', async () => {
    const [id, all] = [randomUUID(), world()];
    const ensure = all.activities.ensureEmrOrganization;
    let made: string | undefined;
    all.activities.ensureEmrOrganization = async (organization) => {
      if (made !== undefined) return ensure(organization);
      made = (await ensure(organization)).emrOrganizationId;
      return outage();
    };
    await create(id, all);
    expect(all.stored).toMatchObject([{ emrOrganizationId: made }]);
  });

  it('waits out an outage of our database after the EMR has made it', async () => {
    const [id, all] = [randomUUID(), world()];
    all.activities.storeOrganization = failingFirst(30, all.activities.storeOrganization, databaseOutage);
    expect(await create(id, all)).toBeUndefined();
    expect(all.stored).toHaveLength(1);
  });

  it('is stored once when the answer of our database was lost', async () => {
    const [id, all] = [randomUUID(), world()];
    const store = all.activities.storeOrganization;
    let isLost = false;
    all.activities.storeOrganization = async (organization) => {
      const answer = await store(organization);
      if (isLost) return answer;
      isLost = true;
      return databaseOutage();
    };
    expect(await create(id, all)).toBeUndefined();
    expect(all.stored).toHaveLength(1);
  });

  it('fails with SlugTaken when the slug is gone', async () => {
    const [id, all] = [randomUUID(), world()];
    all.activities.storeOrganization = async () => ({ refused: 'taken' });
    expect(await create(id, all)).toMatchObject({ type: failureTypes.slugTaken, message: 'taken' });
  });
});

describe('an organization that was given up', () => {
  const discard = async (id: string, { activities }: ReturnType<typeof world>) => {
    const taskQueue = `organization-${randomUUID()}`;
    return time.withWorker(taskQueue, activities, () =>
      time.env.client.workflow.execute<typeof discardOrganization>('discardOrganization', {
        workflowId: `organization-discard:${id}`,
        taskQueue,
        args: [id],
      }),
    );
  };

  it('is deleted in the EMR, however long that is away, before it is forgotten', async () => {
    const [id, all] = [randomUUID(), world()];
    all.notes.set(id, 'open');
    all.emr.set(id, 'emr-1');
    const heldWhenForgotten: boolean[] = [];
    const forget = all.activities.forgetOrganizationCreation;
    all.activities.deleteEmrOrganization = failingFirst(50, all.activities.deleteEmrOrganization);
    all.activities.forgetOrganizationCreation = async (note) => {
      heldWhenForgotten.push(all.emr.has(id));
      return forget(note);
    };
    await discard(id, all);
    expect([all.emr.size, all.notes.size, heldWhenForgotten]).toEqual([0, 0, [false]]);
  });

  it('is left alone when somebody has gone on with it', async () => {
    const [id, all] = [randomUUID(), world()];
    all.emr.set(id, 'emr-1');
    await discard(id, all);
    expect(all.emr.size).toBe(1);
  });
});
