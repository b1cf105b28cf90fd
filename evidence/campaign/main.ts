import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Command } from 'commander';
import { guards, runControl } from './controls.js';
import { type Campaign, page, readPage } from './page.js';
import { long, planOf } from './plan.js';
import { type SliceResult, sliceOnItsOwn } from './slice.js';

/**
 * The sizes. The long tier has about 10,000 approvals, 600 kills of workers, 60 each of Temporal and Postgres, and 30
 * of the supervisor.
 * Slices alternate between one process and split ones. Each has its own system, so a campaign can resume after any.
 */
const tiers = {
  short: { slices: 1, stories: 14, controls: false, plan: {} },
  default: { slices: 4, stories: 60, controls: true, plan: {} },
  long: { slices: 28, stories: 440, controls: false, plan: long },
};

/** `--resume` reads it; git ignores it. */
const resultsFile = new URL('../results/faults.json', import.meta.url);
const pageFile = new URL('../results/faults.md', import.meta.url);

const asked = new Command('npm run evidence -- faults')
  .description(
    'Kills processes and loses answers at random, then compares the records of the external services.',
  )
  .option('--seed <number>', 'determines the plan', Number, 1)
  .option('--short', 'one minute', false)
  .option('--long', 'three hours, in slices', false)
  .option(
    '--resume',
    'resumes the campaign of the same seed; repeats each slice with a finding and each control that did not fail',
    false,
  )
  .option('--no-controls', 'skips the controls, which must fail')
  .parse()
  .opts<{ seed: number; short: boolean; long: boolean; resume: boolean; controls: boolean }>();

const { seed, resume, controls } = asked;
const tier = asked.short ? 'short' : asked.long ? 'long' : 'default';
const size = tiers[tier];
const stopping = new AbortController();
const { signal: interrupted } = stopping;
// A terminal and npm may both send a signal. Every stop has a timeout.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
const say = (what: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);

const results = (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}) as Record<
  string,
  Campaign
>;
const begun = results[tier];
const campaign: Campaign =
  resume && begun?.seed === seed
    ? begun
    : { seed, tier, of: 0, date: '', machine: '', slices: [], controls: [] };
const keep = () => {
  // The short tier is a test and writes nothing.
  if (tier === 'short') return;
  results[tier] = campaign;
  writeFileSync(resultsFile, JSON.stringify(results));
  writeFileSync(pageFile, readPage(readFileSync(pageFile, 'utf8'), tier, page(campaign)));
};
Object.assign(campaign, {
  of: size.slices,
  date: new Date().toISOString().slice(0, 10),
  machine: `Node ${process.versions.node}, ${cpus().length} cores`,
});

const isGood = ({ findings, missed }: SliceResult) => findings.length === 0 && missed.length === 0;

async function play(): Promise<void> {
  for (let slice = 0; slice < size.slices; slice += 1) {
    if (campaign.slices.some((played) => played.slice === slice && isGood(played))) continue;
    const plan = planOf({ seed, slice, split: slice % 2 === 1, stories: size.stories, ...size.plan });
    say(`slice ${slice + 1} of ${size.slices}, ${plan.split ? 'split' : 'one process'}`);
    const result = await sliceOnItsOwn(plan, { say, interrupted });
    campaign.slices = [...campaign.slices.filter((played) => played.slice !== slice), result];
    for (const { class: kind, what, about } of result.findings) say(`FOUND ${kind}: ${what} (${about})`);
    for (const name of result.missed) say(`MISSED planted fault: ${name}`);
    keep();
  }
  if (size.controls && controls)
    for (const guard of guards) {
      if (campaign.controls.some(({ name, failed }) => name === guard.name && failed)) continue;
      say(`control: without "${guard.name}"`);
      const result = await runControl(guard, seed, { say, interrupted });
      campaign.controls = [...campaign.controls.filter(({ name }) => name !== guard.name), result];
      keep();
    }
}

await play().catch((error: unknown) => {
  if (!interrupted.aborted) throw error;
  say('interrupted; nothing is left running');
  process.exit(130);
});
console.log(page(campaign));
const isClean = campaign.slices.every(isGood) && campaign.controls.every(({ failed }) => failed);
process.exit(isClean ? 0 : 1);
