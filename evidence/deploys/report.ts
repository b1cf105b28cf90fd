import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { Verdict } from './judge.js';

const page = new URL('../results/deploys.md', import.meta.url);
/** Each run replaces the page from this heading on. */
const heading = '## The last run\n';

export async function write(verdict: Verdict): Promise<void> {
  const { stages, orders, charges, isGood } = verdict;
  const head = [
    'stage',
    'in flight before',
    'started',
    'on old',
    'on new',
    'completed',
    'ordered once',
    'charged once',
  ];
  const rows = stages.map((stage) => [
    stage.what,
    stage.inFlight,
    stage.started,
    stage.onPresent,
    stage.onNext,
    stage.completed,
    stage.orderedOnce,
    stage.chargedOnce,
  ]);
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
  rows.push(['all', '', ...[2, 3, 4, 5, 6, 7].map(sum)]);
  const load = (loadavg()[2] ?? 0).toFixed(1);
  const section = [
    heading,
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${load} over 15 minutes. Orders at the pharmacies: ${orders}; charges at the processor: ${charges}. ${isGood ? 'Every check passed.' : '**A check failed.**'}`,
    '',
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
  const text = await readFile(page, 'utf8');
  await writeFile(page, text.slice(0, text.indexOf(heading)) + section);
  process.stdout.write(`\n${section}`);
}
