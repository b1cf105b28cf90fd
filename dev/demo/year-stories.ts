/** The story of a patient's year: the answers to its gates, and the books at its end. */
export interface YearStory {
  title: string;
  /**
   * The check-in that the patient sends; undefined: none.
   * @param phase of the next fill
   */
  checkIn: (phase: number, fill: number) => { flagged: boolean } | undefined;
  /** The phase that the prescriber decides for. @param because why the gate asks */
  decide: (phase: number, because: string) => number;
  /** Directions of the orders, oldest first. */
  orders: readonly string[];
  /** Subjects of the mails, with their numbers. */
  told: Readonly<Record<string, number>>;
  state: string;
  /** Answers that closed the work items, oldest first. */
  items: readonly string[];
}

const [low, middle, high] = ['inject 10 units weekly', 'inject 20 units weekly', 'inject 40 units weekly'];
/**
 * Three doses of one medication, 13 fills. Each dose begins with a check-in and a decision. Higher doses have a
 * check-in before each fill.
 */
export const ladder = [
  { medication: 'semaglutide', dosage: low, fills: 4 },
  { medication: 'semaglutide', dosage: middle, fills: 4, checkIn: 'fill' },
  { medication: 'semaglutide', dosage: high, fills: 5, checkIn: 'fill' },
];
const times = (count: number, dosage: string): string[] => Array.from({ length: count }, () => dosage);

const approved = 'Your prescription was approved';
export const followUpDue = 'Your follow-up is due';
const pastDue = 'Your follow-up is past due';
const changed = 'Your treatment has changed';

/** The fill before which the second patient reports that the dose is too high. */
const badFill = 7;

export const yearStories: readonly YearStory[] = [
  {
    title: 'A patient climbs from dose to dose',
    checkIn: () => ({ flagged: false }),
    decide: (phase) => phase,
    orders: [...times(4, low), ...times(4, middle), ...times(5, high)],
    told: { [approved]: 13, [followUpDue]: 9, [changed]: 2 },
    state: 'completed',
    items: ['decide', 'decide'],
  },
  {
    title: 'A patient reports side effects, steps back, and climbs again',
    checkIn: (_phase, fill) => ({ flagged: fill === badFill }),
    decide: (phase, because) => (because === 'flagged' ? 1 : phase),
    orders: [...times(4, low), ...times(2, middle), low, ...times(2, middle), ...times(5, high)],
    told: { [approved]: 14, [followUpDue]: 10, [changed]: 4 },
    state: 'completed',
    items: ['decide', 'decide', 'decide', 'decide'],
  },
  {
    title: 'A patient stops answering, gets reminders, and is paused',
    checkIn: () => undefined,
    decide: (phase) => phase,
    orders: times(4, low),
    told: { [approved]: 4, [followUpDue]: 2, [pastDue]: 1 },
    state: 'paused',
    items: ['decide', 'pause'],
  },
];
