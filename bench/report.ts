import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Figure {
  figure: string;
  measured: string;
  /** What it is to reach; a figure without one is there to compare with. */
  goal?: string;
}

/** Where a measurement of minutes is; the figures alone go to standard output. */
export const say = (where: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${where}`);

const resultsFile = fileURLToPath(new URL('results.md', import.meta.url));
const introduction = `# Measured

Each section is written by the command it names. R is a bare Temporal workflow with seven regular activities, each one
HTTP POST, started over HTTP and awaited, on the same server at the same time; times of one machine say little, ratios
to R do. The ideal row is an approve as plain Temporal written by hand (\`bench/ideal\`): the same services, calls, records,
signatures and encryption in one run of seven ordinary activities. DBOS and plain code carry out the same seven steps.
They encrypt nothing, and plain code is lost with its process.
`;

/** The figures as a section of results.md, in place of the one of an earlier run. */
export function report(
  bench: string,
  figures: readonly Figure[],
  command = `npm run bench -- ${bench}`,
): string {
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
  return section;
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
    new URL('../node_modules/@temporalio/worker/package.json', import.meta.url),
    'utf8',
  );
  const { version } = JSON.parse(manifest) as { version: string };
  const load = (loadavg()[2] ?? 0).toFixed(1);
  return `Node ${process.versions.node}, Temporal SDK ${version}, ${cpus().length} cores, load ${load} over 15 minutes`;
}
