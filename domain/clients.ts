/** No task id that a client may choose has it, so no two keys are equal (D140). */
const separator = '\u001f';

/**
 * The name of a task inside the services: the client's own id, and for a named client with the client before it (D140).
 * The refills of a schedule have names that are unique by themselves.
 */
export const taskKey = (client: string, taskId: string): string =>
  client === '' ? taskId : `${client}${separator}${taskId}`;

/** The client in the key of a task or reference; '' for the default client and for refills. */
export const clientOfKey = (key: string): string =>
  key.includes(separator) ? key.slice(0, key.indexOf(separator)) : '';

/** The id or reference as its client knows it. */
export const ownTaskId = (key: string): string => key.slice(key.indexOf(separator) + 1);

/** A text that is a key already, or could be one. */
export const isKey = (text: string): boolean => text.includes(separator);

const ownSource = 'orchestrator';

/** The router's `source` of a client's orders. */
export const sourceOf = (client: string): string => (client === '' ? ownSource : `${ownSource}:${client}`);

/** The client of such a `source`; undefined for any other. */
export function clientOfSource(source: string): string | undefined {
  if (source === ownSource) return '';
  return source.startsWith(`${ownSource}:`) ? source.slice(ownSource.length + 1) : undefined;
}

/** The task ids that an order's reference may belong to: without the number of a refill, a reroute or a replacement. */
export function tasksOfReference(reference: string): string[] {
  const [, refill] = /^(refill-[0-9a-f-]{36})-\d+/i.exec(reference) ?? [];
  return refill === undefined
    ? [...new Set([reference.replace(/(?:#\d+)?(?:~\d+)?$/, ''), reference])]
    : [refill];
}

/** The key of an order's reference, from the `source` of the order. Refills need none. */
export const keyOfOrder = ({ source, sourceOrderId }: { source: string; sourceOrderId: string }): string =>
  sourceOrderId.startsWith('refill-') ? sourceOrderId : taskKey(clientOfSource(source) ?? '', sourceOrderId);

/** A business key of a task's fact, such as its charge: `charge:<task>`, for a named client `charge@<client>:<task>`. */
export function factKey(kind: string, key: string): string {
  const client = clientOfKey(key);
  return client === '' ? `${kind}:${key}` : `${kind}@${client}:${ownTaskId(key)}`;
}
