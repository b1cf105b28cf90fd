import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Figure {
  figure: string;
  measured: string;
  /** The target; a figure without one is for comparison. */
  goal?: string;
  /** Of a count: whether it is the goal. Times have no such field, since they depend on the machine. */
  isMet?: boolean;
}

/** Prints progress to standard error; standard output carries only figures. */
export const say = (where: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${where}`);

const resultsFile = fileURLToPath(new URL('../results/benches.md', import.meta.url));
const introduction = `# Benches

The command above each table writes it. Times depend on the machine, so compare the ratios. Everything in one table runs on
the same servers at the same time.

- **R**: a bare Temporal workflow. One HTTP request starts it and awaits it; its seven activities make one HTTP POST each.
- **ideal**: an approval as plain Temporal written by hand (\`evidence/bench/ideal\`). It has the same services, calls, records,
  signatures and encryption in one run of seven activities.
- **DBOS** and **plain code**: the same seven steps without encryption. A kill of its process loses plain code's work.
`;

/** Replaces the bench's section in the results, and prints it. @throws Error that names the counts that miss their goal */
export function report(
  bench: string,
  figures: readonly Figure[],
  command = `npm run evidence -- ${bench}`,
): void {
  const section = [
    `## ${bench}`,
    '',
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${versions()}`,
    '',
    '| figure | measured | goal |',
    '| --- | --- | --- |',
    ...figures.map(({ figure, measured, goal = '' }) => `| ${figure} | ${measured} | ${goal} |`),
    '',
  ].join('\n');
  const others = sectionsNow().filter((text) => !text.startsWith(`## ${bench}\n`));
  writeFileSync(resultsFile, [introduction, ...[...others, section].sort()].join('\n'));
  console.log(section);
  checkCounts(figures);
}

/** @throws Error that names the counts that miss their goal, so that the proof fails */
export function checkCounts(figures: readonly Figure[]): void {
  const missed = figures.filter(({ isMet }) => isMet === false);
  if (missed.length === 0) return;
  const lines = missed.map(({ figure, measured, goal = '' }) => `${figure}: ${measured}, not ${goal}`);
  throw new Error(`The proof fails:\n${lines.join('\n')}`);
}

function sectionsNow(): string[] {
  try {
    return readFileSync(resultsFile, 'utf8')
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => `${text.trimEnd()}\n`);
  } catch {
    return [];
  }
}

function versions(): string {
  const manifest = readFileSync(
    new URL('../../node_modules/@temporalio/worker/package.json', import.meta.url),
    'utf8',
  );
  const { version } = JSON.parse(manifest) as { version: string };
  const load = (loadavg()[2] ?? 0).toFixed(1);
  return `Node ${process.versions.node}, Temporal SDK ${version}, ${cpus().length} cores, load ${load} over 15 minutes`;
}
