import { format, resolveConfig } from 'prettier';
import { answers, type Moment, moments, places, type Step, steps } from './places.js';
import { type Victim, victims } from './round.js';

const marks = ['<!-- kill matrix -->', '<!-- end of kill matrix -->'] as const;

/** What is lost: a process, or an answer of a party. */
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
  'no party outside is asked; the connections to Postgres are cut in `tests/faults/connections.test.ts`, and what the registry answers is lost when the APIs are killed';
const noGap = 'an answer is lost before anything happened or after it was done, and not once it was heard';

/** Why there is no such cell; undefined where there is one. */
export function whyNot(step: Step, moment: Moment, harm: Harm): string | undefined {
  const place = places[step][moment];
  if (harm !== 'answer') return typeof place === 'string' ? place : undefined;
  if (!answers[step]) return noAnswer;
  return moment === 'before' || moment === 'done' ? undefined : noGap;
}

export type Verdicts = (step: Step, moment: Moment, harm: Harm) => string | undefined;

/** The table, and why cells are left out. */
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
    `| step | moment | where it stands | ${harms.map((harm) => lost[harm]).join(' | ')} |`,
    `| ${['', '', '', ...harms].map(() => '---').join(' | ')} |`,
    ...rows,
    '',
    ...reasons.map((reason, n) => `${n + 1}. ${reason}`),
  ].join('\n');
  return format(text, { ...(await resolveConfig('evidence/results/kill-matrix.md')), parser: 'markdown' });
}

/** The part of the document between the marks. @throws Error where it has none */
export function between(document: string): { before: string; section: string; after: string } {
  const [from, to] = marks.map((mark) => document.indexOf(mark)) as [number, number];
  if (from < 0 || to < from)
    throw new Error('evidence/results/kill-matrix.md has no place for the kill matrix');
  const begin = from + marks[0].length;
  return { before: document.slice(0, begin), section: document.slice(begin, to), after: document.slice(to) };
}
