import { format, resolveConfig } from 'prettier';
import { answers, type Moment, moments, places, type Step, steps } from './places.js';
import { type Victim, victims } from './round.js';

const marks = ['<!-- kill matrix -->', '<!-- end of kill matrix -->'] as const;

/** The loss: a process, or an answer of an external service. */
export type Harm = Victim | 'answer';
const harms: readonly Harm[] = [...victims, 'answer'];

const names: Record<Step, string> = {
  '1': '1 claim, medication',
  '2': '2 patient',
  '3': '3 prescriber',
  '4': '4 pharmacy',
  '5': '5 payment',
  '6': '6 shipment',
  '7': '7 notification',
  end: 'end, the record',
};
const titles: Record<Moment, string> = {
  before: 'before the effect',
  during: 'during the call',
  done: 'after the effect, before its report',
  reported: 'after its report',
};
const lost: Record<Harm, string> = {
  workers: 'workers killed',
  api: 'APIs killed',
  temporal: 'Temporal killed',
  postgres: 'Postgres killed',
  answer: 'answer lost',
};

const noAnswer =
  'no external call; `tests/faults/connections.test.ts` cuts connections to Postgres, and a kill of the APIs loses the answer of the registry';
const noGap = 'an answer is lost before the effect or after it; here it has arrived or is not yet due';

/** The reason why a cell does not exist; undefined if it does. */
export function whyNot(step: Step, moment: Moment, harm: Harm): string | undefined {
  const place = places[step][moment];
  if (harm !== 'answer') return typeof place === 'string' ? place : undefined;
  if (!answers[step]) return noAnswer;
  return moment === 'before' || moment === 'done' ? undefined : noGap;
}

export type Verdicts = (step: Step, moment: Moment, harm: Harm) => string | undefined;

/** Renders the table and the reasons for empty cells. */
export async function section(verdict: Verdicts): Promise<string> {
  const reasons: string[] = [];
  const cell = (step: Step, moment: Moment, harm: Harm) => {
    const why = whyNot(step, moment, harm);
    if (why === undefined) return verdict(step, moment, harm) ?? 'not run';
    if (!reasons.includes(why)) reasons.push(why);
    return `– (${reasons.indexOf(why) + 1})`;
  };
  const rows = steps.flatMap((step) =>
    moments.map((moment) => {
      const place = places[step][moment];
      const where = typeof place === 'string' ? '' : place.where;
      const cells = harms.map((harm) => cell(step, moment, harm));
      return `| ${[names[step], titles[moment], where, ...cells].join(' | ')} |`;
    }),
  );
  const text = [
    `| step | moment | where it waits | ${harms.map((harm) => lost[harm]).join(' | ')} |`,
    `| ${['', '', '', ...harms].map(() => '---').join(' | ')} |`,
    ...rows,
    '',
    ...reasons.map((reason, n) => `${n + 1}. ${reason}`),
  ].join('\n');
  return format(text, { ...(await resolveConfig('evidence/results/kill-matrix.md')), parser: 'markdown' });
}

/** Splits the document at the marks. @throws Error if it has none */
export function between(document: string): { before: string; section: string; after: string } {
  const [from, to] = marks.map((mark) => document.indexOf(mark)) as [number, number];
  if (from < 0 || to < from)
    throw new Error('evidence/results/kill-matrix.md has no place for the kill matrix');
  const begin = from + marks[0].length;
  return { before: document.slice(0, begin), section: document.slice(begin, to), after: document.slice(to) };
}
