import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { Verdict } from './judge.js';

const page = new URL('../results/deploys.md', import.meta.url);
/** What follows it on the page is written anew by each run. */
const heading = '## The last run\n';

/** Replaces the table on the page, and prints it. */
export async function write(verdict: Verdict): Promise<void> {
  const { stages, orders, charges, isGood } = verdict;
  const head = [
    'stage',
    'in flight then',
    'begun',
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
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${load} over 15 minutes. Orders in the pharmacies' books: ${orders}; charges in the processor's: ${charges}. ${isGood ? 'All as it must be.' : '**Not as it must be.**'}`,
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
