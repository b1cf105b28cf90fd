import { type ControlResult, byClass } from './controls.js';
import { classes } from './records.js';
import type { SliceResult } from './slice.js';

export interface Campaign {
  seed: number;
  tier: string;
  /** The number of slices. */
  of: number;
  date: string;
  machine: string;
  slices: SliceResult[];
  controls: ControlResult[];
}

/** Replaces a tier's generated section. @throws Error if the document has none */
export function readPage(document: string, tier: string, section: string): string {
  const marks = [`<!-- ${tier} campaign -->`, `<!-- end of ${tier} campaign -->`] as const;
  const [from, to] = marks.map((mark) => document.indexOf(mark)) as [number, number];
  if (from < 0 || to < from)
    throw new Error(`evidence/results/faults.md has no place for the ${tier} campaign`);
  return `${document.slice(0, from + marks[0].length)}\n\n${section}\n${document.slice(to)}`;
}

/** Renders the section of a campaign. */
export function page({ seed, tier, of, date, machine, slices, controls }: Campaign): string {
  const sides = {
    'one process': slices.filter(({ split }) => !split),
    split: slices.filter(({ split }) => split),
  };
  const option = tier === 'default' ? '' : ` --${tier}`;
  const row = (name: string, value: (of: readonly SliceResult[]) => string | number) =>
    `| ${name} | ${[...Object.values(sides), slices].map(value).join(' | ')} |`;
  const sum = (value: (slice: SliceResult) => number) => (of: readonly SliceResult[]) =>
    of.reduce((total, slice) => total + value(slice), 0);
  const keys = (of: (slice: SliceResult) => object) => [
    ...new Set(slices.flatMap((slice) => Object.keys(of(slice)))),
  ];
  const at = (counts: Readonly<Record<string, number | undefined>>, name: string) => counts[name] ?? 0;

  return [
    `\`npm run evidence -- faults --seed ${seed}${option}\`, ${date}, ${machine}: ${slices.length} of ${of} slices.`,
    '',
    '| | one process | APIs and workers apart | all |',
    '| --- | --- | --- | --- |',
    ...keys(({ stories }) => stories).map((name) =>
      row(
        `stories: ${name}`,
        sum(({ stories }) => at(stories, name)),
      ),
    ),
    row(
      'requests of clients, repeats included',
      sum(({ requests }) => requests),
    ),
    row('completed / failed / with a warning', (of) =>
      [
        ({ completed }: SliceResult) => completed,
        ({ failed }: SliceResult) => failed,
        ({ warned }: SliceResult) => warned,
      ]
        .map((value) => sum(value)(of))
        .join(' / '),
    ),
    ...keys(({ kills }) => kills).map((name) =>
      row(
        `SIGKILL: ${name}`,
        sum(({ kills }) => at(kills, name)),
      ),
    ),
    row(
      'SIGSTOP for up to 3 s',
      sum(({ freezes }) => freezes),
    ),
    row(
      'connections to Postgres cut, up to five at once',
      sum(({ cuts }) => cuts),
    ),
    row(
      'answers lost',
      sum(({ lostAnswers }) => lostAnswers),
    ),
    ...keys(({ readerDid }) => readerDid).map((name) =>
      row(
        `the reader of events ${name}`,
        sum(({ readerDid }) => at(readerDid, name)),
      ),
    ),
    ...keys(({ faults }) => faults)
      .filter((name) => name !== 'lost-answer')
      .map((name) =>
        row(
          `faults of external services: ${name}`,
          sum(({ faults }) => at(faults, name)),
        ),
      ),
    ...keys(({ atRisk }) => atRisk).map((name) =>
      row(
        `at risk: ${name}`,
        sum(({ atRisk }) => at(atRisk, name)),
      ),
    ),
    ...classes.map((name) =>
      row(
        `**findings: ${name}**`,
        sum(({ findings }) => at(byClass(findings), name)),
      ),
    ),
    row(
      'planted faults that the judge detects',
      (of) =>
        `${sum(({ planted, missed }) => planted - missed.length)(of)} of ${sum(({ planted }) => planted)(of)}`,
    ),
    row('runs in flight at a kill, end after it: count: p50 / p99 / max', (of) =>
      times(of.flatMap(({ caughtMs }) => caughtMs)),
    ),
    row('APIs ready after a kill without another: count: p50 / p99 / max', (of) =>
      times(of.flatMap(({ apisMs }) => apisMs)),
    ),
    row('all ready after a kill, workers and sandbox too: count: p50 / p99 / max', (of) =>
      times(of.flatMap(({ backMs }) => backMs)),
    ),
    ...keys(({ backMsOf }) => backMsOf).map((name) =>
      row(`all ready after a kill of ${name}`, (of) =>
        times(of.flatMap(({ backMsOf }) => backMsOf[name] ?? [])),
      ),
    ),
    row(
      'seconds',
      sum(({ seconds }) => seconds),
    ),
    '',
    ...(controls.length === 0
      ? []
      : [
          'Each control removes one guard from a copy of the product. The judge must report it, and nothing with the guard in place:',
          '',
          '| without | expected | findings | with the guard | result |',
          '| --- | --- | --- | --- | --- |',
          ...controls.map(
            ({ name, expected, findings, intact, failed }) =>
              `| ${name} | ${expected} | ${counted(findings)} | ${counted(intact)} | ${failed ? 'detected' : '**NOT DETECTED**'} |`,
          ),
          '',
        ]),
  ].join('\n');
}

const counted = (findings: Record<string, number>): string =>
  Object.entries(findings)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

function times(values: readonly number[]): string {
  if (values.length === 0) return '-';
  const ascending = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
  const [p50, p99, max] = [at(0.5), at(0.99), at(1)].map((ms) => (ms / 1_000).toFixed(1));
  return `${values.length}: ${p50} / ${p99} / ${max} s`;
}
