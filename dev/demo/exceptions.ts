import { randomUUID } from 'node:crypto';
import Table from 'cli-table3';
import { approvalLink } from '../../cli/system.js';
import type { DevJson } from '../dev-json.js';
import { type Finding, holds, line } from './judge.js';
import { newPatient } from './new-patient.js';
import { Stage } from './stage.js';
import { type Story, stories } from './stories.js';

/**
 * `rx demo --exceptions`: runs six prescriptions that fail in different ways, concurrently because one waits half a
 * minute. Then it checks the records of all services.
 */
export async function showExceptions(dev: DevJson): Promise<void> {
  const table = new Table({
    head: ['Story', 'Orders', 'Charged', 'Refunded', 'Told', ''],
    style: { head: [], border: [], compact: true },
    colWidths: [null, null, null, null, 34, null],
    wordWrap: true,
  });
  let allHold = true;
  const playing = stories.map((story) => play(dev, story));
  for (const played of playing) {
    const { row, lines, ok } = await played;
    console.log(lines.join('\n'));
    table.push(row);
    allHold &&= ok;
  }
  console.log(table.toString());
  console.log(allHold ? 'All of it as expected.' : 'NOT as expected: see the lines marked above.');
  if (!allHold) process.exitCode = 1;
}

/** Runs one story and prints its output at the end, so that stories do not interleave. */
async function play(dev: DevJson, story: Story): Promise<{ row: string[]; lines: string[]; ok: boolean }> {
  const lines = [`\n${story.title}`];
  try {
    const taskId = `exception-${randomUUID()}`;
    const patient = await newPatient(dev, story);
    const stage = new Stage(dev, { taskId, ...patient }, (text) => void lines.push(`  ${text}`));
    await story.play(stage);
    const found = await stage.check(story.expected);
    lines.push(...found.map((one) => `  ${line(one)}`), `  ${approvalLink(dev, taskId)}`);
    const ok = found.every(holds);
    return { row: [story.title, ...cells(found), ok ? 'ok' : 'NOT OK'], lines, ok };
  } catch (error) {
    lines.push(`  NOT OK  ${error instanceof Error ? error.message : String(error)}`);
    return { row: [story.title, '-', '-', '-', '-', 'NOT OK'], lines, ok: false };
  }
}

const cells = (found: readonly Finding[]): string[] =>
  ['orders', 'charged', 'refunded', 'patient told'].map(
    (what) => found.find((one) => one.what === what)?.found ?? '-',
  );
