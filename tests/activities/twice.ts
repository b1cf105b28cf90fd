import type { EventConsumer, EventEnvelope, EventSubscriber, SubscribedType } from '../../domain/events.js';

/** One activity with all it needs, under ids that nothing else uses. */
interface Arranged<Input> {
  input: Input;
  /** The answer; nothing if left out. */
  answers?: unknown;
  /** The answer of a repeat, if it differs. */
  thenAnswers?: unknown;
  /** The visible effect; nothing for one that only reads. */
  seen?: () => Promise<unknown>;
  /** The value of `seen` after one run and after any more. */
  once?: unknown;
  /** Uses the first answer up, as its workflow does before a repeat that comes late. */
  meanwhile?: () => Promise<unknown>;
  /**
   * Why each run is seen: `seen` lists what the outside took, and a repeat adds the same again. For parties that know
   * no key; how they tell a repeat must be part of what is listed, where there is anything.
   */
  atLeastOnce?: string;
}

export type Entry<Input = unknown> = () => Promise<Arranged<Input>>;

type InputOf<Activity> = Activity extends (input: infer Input, ...more: never[]) => unknown ? Input : never;

/** An entry for each activity of a service; events have one per type (`consuming`). */
export type Entries<Activities> = {
  [Name in Exclude<keyof Activities, 'consumeEvent'>]: Entry<InputOf<Activities[Name]>>;
};

type Consumption = Arranged<{ consumer: EventConsumer; event: EventEnvelope }>;
/** Like `Arranged`, for a consumed event. */
export type Event = Omit<Arranged<never>, 'input'> & { event: EventEnvelope };

/** The entries of `consumeEvent`, one per type of event that a service subscribes to. */
export const consuming = <S extends EventSubscriber>(
  consumer: S,
  events: Record<SubscribedType<S>, () => Promise<Event>>,
): Record<string, Entry> => named(consumer, events);

/** The entry of `consumeEvent` of a service that tells the outside too. */
export const consumingAsSink = (sink: () => Promise<Event>): Record<string, Entry> => named('sink', { sink });

const named = (consumer: EventConsumer, events: Record<string, () => Promise<Event>>) =>
  Object.fromEntries(
    Object.entries(events).map(([type, arrange]) => [
      `consumeEvent ${type}`,
      async (): Promise<Consumption> => {
        const { event, ...rest } = await arrange();
        return { input: { consumer, event }, ...rest };
      },
    ]),
  ) as Record<string, Entry>;
