import { bearer } from '../../cli/admin.js';
import { ask } from '../../cli/lists.js';
import { workItemKinds, type WorkItemAnswer, type WorkItemKind } from '../../domain/work-items.js';
import { until } from './outside.js';

interface Item {
  id: string;
  kind: WorkItemKind;
  reason: string;
  title: string;
  state: string;
  answers: string[];
  references: Record<string, string>;
  closedBy: string | null;
  answer: string | null;
}

/** Calls an admin endpoint as the system's superadmin. */
export const asAdmin = async <T>(
  service: 'organization' | 'patients' | 'worklist',
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> =>
  ask<T>({ service, method, path, headers: await bearer(), ...(body && { body: JSON.stringify(body) }) });

/** Waits for the open work item of this kind that refers to `refersTo`. @returns its id */
export const itemOf = (kind: WorkItemKind, refersTo: Record<string, string>): Promise<string> =>
  until(`the desk has: ${workItemKinds[kind].title}`, async () => {
    const path = `/v1/work-items?state=open&kind=${kind}&limit=200`;
    const { workItems } = await asAdmin<{ workItems: Item[] }>('worklist', 'GET', path);
    return workItems.find(({ references }) =>
      Object.entries(refersTo).every(([name, id]) => references[name] === id),
    )?.id;
  });

/** Reads a work item as a person finds it at the desk. */
export const readItem = async (id: string): Promise<Item> =>
  (await asAdmin<{ workItem: Item }>('worklist', 'GET', `/v1/work-items/${id}`)).workItem;

/** Gives an answer to a work item. @throws Error that says why the owning service rejects it */
export const answerItem = (id: string, answer: WorkItemAnswer, data?: object): Promise<unknown> =>
  asAdmin('worklist', 'POST', `/v1/work-items/${id}/answer`, { answer, ...(data && { data }) });
