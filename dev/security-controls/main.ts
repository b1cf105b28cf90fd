import { controls } from './controls.js';
import { type Control, copySources } from './run.js';

/**
 * `npm run security-controls -- [--whole] [--together] [<finding or project>…]`: takes the guards of the findings away one
 * by one, in a copy of the sources, and has the test of each fail. With `--whole` nothing is taken away, and all tests must
 * pass; with `--together` all guards of a project are taken away at once, which is quicker and proves less.
 */
const args = process.argv.slice(2);
const [isWhole, isTogether] = [args.includes('--whole'), args.includes('--together')];
const projects = ['rules', 'parts', 'long-rules', 'long-parts', 'build'] as const;
const askedFor = (names: readonly string[], name: string): boolean =>
  !args.some((argument) => names.includes(argument)) || args.includes(name);
const findings = controls.map(({ finding }) => finding);
const chosen = controls.filter(
  ({ finding, project }) => askedFor(findings, finding) && askedFor(projects, project),
);
const groups: Control[][] =
  isWhole || isTogether
    ? projects.map((of) => chosen.filter(({ project }) => project === of)).filter((group) => group.length > 0)
    : chosen.map((control) => [control]);

const copy = await copySources();
let wrong = 0;
try {
  for (const group of groups) {
    const outcomes = await (isWhole ? copy.whole(group) : copy.without(group));
    for (const { control, verdict, failed, reason } of outcomes) {
      const { finding, guard, file, test, name } = control;
      const isRight = verdict === (isWhole ? 'passed' : 'failed');
      if (!isRight) wrong += 1;
      const shown = verdict === 'failed' ? `failed (${failed.length})` : verdict;
      process.stdout.write(
        `${isRight ? 'as it must' : 'WRONG'} | ${finding} | ${guard} | ${file} | ${test}: ${name} | ${shown} | ${reason}\n`,
      );
    }
  }
} finally {
  await copy.remove();
}
process.stdout.write(`${chosen.length - wrong} of ${chosen.length} as they must\n`);
process.exitCode = wrong === 0 && chosen.length > 0 ? 0 : 1;
