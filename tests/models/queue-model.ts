export const aggregates = ['a', 'b'] as const;
export type Aggregate = (typeof aggregates)[number];

/** How a receiver answers; `lost`: it takes the item, and the worker stops before that is recorded. */
export const answers = ['taken', 'away', 'refused', 'lost'] as const;
export type ReceiverAnswer = (typeof answers)[number];

export type Command =
  | { do: 'add' | 'redrive'; of: Aggregate }
  /** One turn of the run that delivers an aggregate's items. */
  | { do: 'turn'; of: Aggregate; answer: ReceiverAnswer }
  | { do: 'stop' | 'start' };

export type Entry =
  /** Items of one batch are added at once, in no order. */
  | { what: 'added'; of: Aggregate; item: string; batch: number }
  | { what: 'arrived'; of: Aggregate; item: string; id: string; answer: ReceiverAnswer }
  | { what: 'redriven'; of: Aggregate };

interface Item {
  batch: number;
  id?: string;
  isTaken: boolean;
  /** Given up. */
  isDead: boolean;
  /** Driven again after it was given up: it comes when it comes. */
  isLate: boolean;
}

/**
 * Judges what arrived, once everything that was given up has been driven again and nothing is left: each aggregate's
 * items in their order, none lost, each under one id, and none after it was taken.
 * @param isHeldUp whether what was given up holds up those behind it
 * @throws naming the first that is wrong
 */
export function judgeArrivals(entries: readonly Entry[], isHeldUp: boolean): void {
  const queues = new Map<Aggregate, Map<string, Item>>(aggregates.map((of) => [of, new Map()]));
  const newest = new Map<Aggregate, number>();
  for (const entry of entries) {
    const items = queues.get(entry.of)!;
    if (entry.what === 'added') {
      const { item, batch } = entry;
      if (!items.has(item)) items.set(item, { batch, isTaken: false, isDead: false, isLate: false });
    } else if (entry.what === 'redriven') {
      for (const item of items.values())
        if (item.isDead) Object.assign(item, { isDead: false, isLate: true });
    } else {
      const { item: name, id, answer } = entry;
      const item = items.get(name);
      if (!item) throw new Error(`${name} arrived, which nobody has added`);
      if (item.isTaken) throw new Error(`${name} arrived again after it was taken`);
      if ((item.id ??= id) !== id) throw new Error(`${name} arrived under two ids`);
      const others = [...items].filter(([other]) => other !== name);
      if (others.some(([, other]) => other.id === id)) throw new Error(`${name} has the id of another`);
      if (!item.isLate && item.batch < (newest.get(entry.of) ?? 0))
        throw new Error(`${name} arrived after one that was added later`);
      if (isHeldUp && others.some(([, other]) => other.isDead && other.batch < item.batch))
        throw new Error(`${name} arrived before one that was given up`);
      newest.set(entry.of, Math.max(newest.get(entry.of) ?? 0, item.batch));
      item.isTaken = answer === 'taken';
      item.isDead = answer === 'refused';
    }
  }
  for (const items of queues.values())
    for (const [name, { isTaken }] of items) if (!isTaken) throw new Error(`${name} was lost`);
}
