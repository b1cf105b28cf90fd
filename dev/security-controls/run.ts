import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../project-root.js';

/** A guard of the product, and the test that must fail without it. */
export interface Control {
  /** As `docs/security.md` numbers it. */
  finding: string;
  guard: string;
  file: string;
  /** What stands there, and what is put in its place: the guard gone, and nothing else. */
  taken: readonly (readonly [present: string, instead: string])[];
  project: 'rules' | 'parts' | 'long-rules' | 'long-parts' | 'build';
  /** Below `tests`, without its ending. */
  test: string;
  /** A part of the test's name. */
  name: string;
  /** It waits for what the guard brings about, and so its time limit may be what fails. */
  waits?: true;
}

/** What a test that was judged and failed says: a matcher's first word, or Jest's of a time limit. */
const [asserted, tooLong] = ['expect(', 'Exceeded timeout of'];

/** Only what was run and judged says anything: a system that does not start, or a file that does not load, does not. */
type Verdict = 'failed' | 'passed' | 'not run';

interface Outcome {
  control: Control;
  verdict: Verdict;
  /** The names of the tests that failed. */
  failed: string[];
  /** The first words of the first failure, or the last ones of a Jest that has judged nothing. */
  reason: string;
}

interface JestReport {
  testResults: {
    /** The file's path. */
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Sources of their own, which share the packages that are installed here. */
export interface Copy {
  /**
   * Runs the tests of controls of one project, without their guards.
   * @throws Error when a guard is not where it was
   */
  without: (controls: readonly Control[]) => Promise<Outcome[]>;
  /** Runs them with every guard in place. */
  whole: (controls: readonly Control[]) => Promise<Outcome[]>;
  remove: () => Promise<void>;
}

const leftOut = ['node_modules', '.git', '.local', 'dist'];

export async function copySources(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptrail-controls-'));
  // Postgres, which gives up root's rights, walks in here too.
  await chmod(folder, 0o755);
  for (const entry of await readdir(projectRoot))
    if (!leftOut.includes(entry))
      await cp(join(projectRoot, entry), join(folder, entry), { recursive: true });
  // Links one by one, so that what is compiled of the copy is kept in the copy.
  await mkdir(join(folder, 'node_modules'));
  for (const entry of await readdir(join(projectRoot, 'node_modules')))
    if (entry !== '.cache')
      await symlink(join(projectRoot, 'node_modules', entry), join(folder, 'node_modules', entry));
  return {
    async without(controls) {
      const before = new Map<string, string>();
      try {
        for (const control of controls) {
          const file = join(folder, control.file);
          const code = await readFile(file, 'utf8');
          if (!before.has(file)) before.set(file, code);
          await writeFile(file, withoutGuard(code, control));
        }
        return await runTests(folder, controls);
      } finally {
        for (const [file, code] of before) await writeFile(file, code);
      }
    },
    whole: (controls) => runTests(folder, controls),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @throws Error when it is not where it was */
export function withoutGuard(code: string, { file, taken }: Control): string {
  return taken.reduce((text, [present, instead]) => {
    if (text.split(present).length !== 2) throw new Error(`${file} has not one place of: ${present}`);
    return text.replace(present, () => instead);
  }, code);
}

async function runTests(folder: string, controls: readonly Control[]): Promise<Outcome[]> {
  const report = join(folder, 'report.json');
  await rm(report, { force: true });
  const files = new Set(controls.map(({ test }) => `tests/${test}.test.ts`));
  const projects = new Set(controls.map(({ project }) => project));
  const names = controls.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const jest = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
      ...['--selectProjects', ...projects, '--json', '--outputFile', report],
      // What a test that fails leaves open.
      '--forceExit',
      ...['--testNamePattern', names.join('|')],
      // Of what waits for the guard to work: it would wait as long as a busy machine may need.
      ...(controls.some(({ waits }) => waits) ? ['--testTimeout', '90000'] : []),
      ...['--runTestsByPath', ...files],
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, FAULTS: 'full' },
    },
  );
  let said = '';
  jest.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-10_000)));
  await once(jest, 'exit');
  const text = await readFile(report, 'utf8').catch(() => undefined);
  return controls.map((control) =>
    text === undefined
      ? { control, verdict: 'not run', failed: [], reason: lastWords(said) }
      : { control, ...judge(JSON.parse(text) as JestReport, control) },
  );
}

function judge({ testResults }: JestReport, { test, name, waits }: Control): Omit<Outcome, 'control'> {
  const ofFile = testResults.filter((result) => result.name.endsWith(`/tests/${test}.test.ts`));
  const run = ofFile
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => fullName.includes(name) && ['passed', 'failed'].includes(status));
  const failures = run.filter(({ status }) => status === 'failed');
  const failed = failures.map(({ fullName }) => fullName);
  if (run.length === 0) {
    const why = ofFile.map(({ message }) => message).join(' ');
    return { verdict: 'not run', failed, reason: firstWords(why) || 'no test has that name' };
  }
  const texts = failures.flatMap(({ failureMessages }) => failureMessages.map(plain));
  const meant = texts.find((message) => message.includes(asserted) || (waits && message.includes(tooLong)));
  if (failures.length > 0 && meant === undefined)
    return { verdict: 'not run', failed, reason: `not by what was asked: ${firstWords(texts[0] ?? '')}` };
  return { verdict: failures.length > 0 ? 'failed' : 'passed', failed, reason: firstWords(meant ?? '') };
}

/** Without Jest's colours. */
const plain = (text: string): string => text.replace(/\u001b\[\d*m/g, '');
const lastWords = (text: string): string => plain(text).replace(/\s+/g, ' ').trim().slice(-300);
const firstWords = (text: string): string => {
  const [message = ''] = plain(text).split('\n    at ');
  return message.replace(/\s+/g, ' ').trim().slice(0, 300);
};
