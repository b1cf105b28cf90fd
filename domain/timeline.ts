/** What an entry of a timeline is about (D111); `gap`: a service that was asked for its part and did not tell it. */
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

/** One thing that happened to a prescription. Nothing of the patient stands in it, and of the medication its key. */
export interface TimelineEntry {
  /** ISO 8601. */
  at: string;
  /** Who tells of it: the service's name. */
  service: string;
  kind: (typeof timelineKinds)[number];
  /** A sentence or less, of our own words and ids. */
  text: string;
  state: string | null;
  /** To the run in the Web UI. */
  link: string | null;
}

/** What happened at the same moment stays in the order in which it was told. */
export const inOrder = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** Stands in for what a service does not tell. @param service its name, such as `router` */
export const gap = (service: string, at: Date): TimelineEntry => ({
  at: at.toISOString(),
  service,
  kind: 'gap',
  text: `The service ${service} did not answer: its part is missing`,
  state: 'unavailable',
  link: null,
});
