import Table from 'cli-table3';
import { type Finding, holds } from './judge.js';

/** A story at its end: its output and what was checked. */
export interface Played {
  title: string;
  lines: string[];
  found: readonly Finding[];
  /** Every finding holds, and nothing was thrown. */
  ok: boolean;
}

/** Runs one story and keeps its output for the end, so that stories do not interleave. Never rejects. */
export async function play(
  title: string,
  act: (say: (text: string) => void) => Promise<readonly Finding[]>,
): Promise<Played> {
  const lines = [`\n${title}`];
  const say = (text: string) => void lines.push(`  ${text}`);
  try {
    const found = await act(say);
    return { title, lines, found, ok: found.every(holds) };
  } catch (error) {
    say(`NOT OK  ${error instanceof Error ? error.message : String(error)}`);
    return { title, lines, found: [], ok: false };
  }
}

/**
 * Prints each story when it and those before it have ended, and then a table. A story that is not as expected sets exit
 * code 1.
 * @param columns by title: the finding to show, by its name
 */
export async function showPlayed(
  playing: readonly Promise<Played>[],
  columns: Record<string, string>,
): Promise<void> {
  const heads = Object.keys(columns);
  const table = new Table({
    head: ['Story', ...heads, ''],
    style: { head: [], border: [], compact: true },
    colWidths: [40, ...heads.map((head) => (head === 'Orders' || head === 'Notified' ? 34 : null)), null],
    wordWrap: true,
  });
  let allHold = true;
  for (const played of playing) {
    const { title, lines, found, ok } = await played;
    console.log(lines.join('\n'));
    const cells = Object.values(columns).map(
      (name) => found.findLast(({ what }) => what === name)?.found ?? '-',
    );
    table.push([title, ...cells, ok ? 'ok' : 'NOT OK']);
    allHold &&= ok;
  }
  console.log(table.toString());
  console.log(allHold ? 'All of it as expected.' : 'NOT as expected: see the lines marked above.');
  if (!allHold) process.exitCode = 1;
}
