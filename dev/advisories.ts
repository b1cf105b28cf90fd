import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { projectRoot } from './project-root.js';

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      /** Advisories, and the names of packages that depend on a vulnerable one. */
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
});

/**
 * `npm run advisories`: checks the lockfile with `npm audit` and passes options such as `-- --omit=dev` to it.
 * Exit codes: 0 no advisory, 1 advisories, 2 no advisory service answered.
 */
function main(): number {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', ...process.argv.slice(2)], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { data } = report.safeParse(parsed(stdout));
  if (!data) {
    console.log(`No advisory service could be asked, so nothing is known either way.\n${reasonOf(stdout)}`);
    return 2;
  }
  const found = Object.entries(data.vulnerabilities);
  for (const [name, { severity, via }] of found) {
    console.log(`${severity.padEnd(8)} ${name}`);
    for (const advisory of via)
      console.log(
        typeof advisory === 'string'
          ? `         by ${advisory}`
          : `         ${advisory.title} ${advisory.url}`,
      );
  }
  console.log(found.length === 0 ? 'No advisory is known.' : `${found.length} packages have advisories.`);
  return found.length === 0 ? 0 : 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(stdout: string): string {
  const { data } = z.object({ message: z.string() }).safeParse(parsed(stdout));
  return data?.message ?? 'npm audit gave no report.';
}

process.exitCode = main();
