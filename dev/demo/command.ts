import type { Command } from 'commander';
import { readDevJson } from '../dev-json.js';

/** `rx demo` loads its stories only when it runs, because they would slow every other command down by half. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('approve for the seeded patients, show each step, and check the results')
    .option('--life', 'a complete patient journey: intake form, first order, refill')
    .option('--exceptions', 'six prescriptions that do not go to plan instead')
    .option('--year', 'twelve months of three patients with plans instead, with the development clock')
    .option('--morning', 'a sample backlog for you to work through at the desk')
    .option(
      '--refills',
      'refills that do not go to plan instead, with the development clock; kills the workers once',
    )
    .action(async ({ life, exceptions, morning, refills, year }: Record<string, true | undefined>) => {
      const dev = readDevJson();
      if (year) return (await import('./year.js')).showYear(dev);
      if (refills) return (await import('./refills.js')).showRefills(dev);
      if (morning) return (await import('./morning.js')).showMorning(dev);
      if (exceptions) return (await import('./exceptions.js')).showExceptions(dev);
      if (life) return (await import('./life.js')).showLife(dev);
      await (await import('./approvals.js')).showApprovals(dev);
    });
}
