/** The kinds of timeline entries (D111). A `gap` stands for a service that did not return its entries. */
export const timelineKinds = [
  'run',
  'step',
  'order',
  'pharmacy',
  'hold',
  'callback',
  'charge',
  'refund',
  'shipment',
  'message',
  'refill',
  'work_item',
  'cancellation',
  'gap',
] as const;

/** One thing that happened to a prescription, without patient data. The medication appears as its key only. */
export interface TimelineEntry {
  /** ISO 8601. */
  at: string;
  service: string;
  kind: (typeof timelineKinds)[number];
  text: string;
  state: string | null;
  link: string | null;
}

/** Sorts by time. Entries of the same moment keep their order. */
export const inOrder = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** The entry that stands for a service that did not answer. */
export const gap = (service: string, at: Date): TimelineEntry => ({
  at: at.toISOString(),
  service,
  kind: 'gap',
  text: `The service ${service} did not answer: its part is missing`,
  state: 'unavailable',
  link: null,
});
