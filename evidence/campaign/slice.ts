import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { startReceiver } from '../../tests/helpers/receiver.js';
import { readBooks } from './books.js';
import { learn } from './client.js';
import { closeDays, today } from './closes.js';
import { type EventReader, startEventReader } from './event-reader.js';
import { type Harm, type Harms, startHarm } from './harms.js';
import { atRisk, judge } from './judge.js';
import type { Plan, PlannedStory } from './plan.js';
import { missedPlants } from './planted.js';
import { seeded } from '../../tests/helpers/random.js';
import type { Evidence, Finding } from './records.js';
import { type Case, prepare } from './stories.js';
import { startSupervised, type SupervisedSystem } from './system.js';

export interface SliceResult {
  slice: number;
  split: boolean;
  stories: Record<string, number>;
  requests: number;
  completed: number;
  failed: number;
  warned: number;
  kills: Record<string, number>;
  freezes: number;
  /** Cuts of several database connections each. */
  cuts: number;
  /** Faults of external services by kind. */
  faults: Record<string, number>;
  lostAnswers: number;
  /** What the reader of events did with deliveries, counted. */
  readerDid: EventReader['done'];
  atRisk: Record<string, number>;
  findings: Finding[];
  planted: number;
  missed: string[];
  /** From the last kill during a run to the end of that run, in milliseconds. */
  caughtMs: number[];
  /** From a kill until every API is ready, in milliseconds. */
  apisMs: number[];
  /** From a kill until everything is ready, in milliseconds. */
  backMs: number[];
  /** The same by killed process. */
  backMsOf: Record<string, number[]>;
  seconds: number;
}

type Say = (what: string) => void;
/** The router looks for an order without an answer after these seconds (D114). */
const campaignEnv = { ORDER_SETTLE_SECONDS: '3,6,9' };
const settledWithinMs = 120_000;

/**
 * Runs a slice on a new system with empty records.
 * @param interrupted stops the system and removes its state before this rejects
 * @param sources compiled sources without a guard
 */
export async function sliceOnItsOwn(
  plan: Plan,
  { say, interrupted, sources }: { say: Say; interrupted: AbortSignal; sources?: string },
): Promise<SliceResult> {
  const system = await startSupervised(
    {
      split: plan.split,
      env: campaignEnv,
      ...(sources !== undefined && { sources }),
    },
    interrupted,
  );
  let keepState = false;
  const over = new AbortController();
  try {
    const result = await Promise.race([
      runSlice(system, plan, say, interrupted),
      interruption(interrupted, over.signal),
    ]);
    // The findings of a control are expected.
    keepState = sources === undefined && result.findings.length > 0;
    return result;
  } finally {
    over.abort();
    await system.stop({ keepState });
    if (keepState) say(`its records and logs are kept in ${system.stateDir}`);
  }
}

async function interruption(interrupted: AbortSignal, over: AbortSignal): Promise<never> {
  if (!interrupted.aborted) await once(interrupted, 'abort', { signal: over });
  throw new Error('The campaign was interrupted.');
}

/** Runs a slice's stories under harm, waits until all are reconciled, and judges by the services' records. */
async function runSlice(
  system: SupervisedSystem,
  plan: Plan,
  say: Say,
  interrupted: AbortSignal,
): Promise<SliceResult> {
  const { dev, stateDir } = system;
  const startedMs = Date.now();
  const random = seeded(plan.seed + 2, plan.slice);
  // A receiver that fails sometimes: later callbacks must wait for earlier ones.
  const receiver = await startReceiver(() => (random.chance(0.4) ? 500 : 200));
  const reader = await startEventReader(dev, seeded(plan.seed + 3, plan.slice));
  try {
    const firstDay = await today(dev);
    const prepared: ({ story: PlannedStory } & Awaited<ReturnType<typeof prepare>>)[] = [];
    for (const story of plan.stories) {
      const place = { dev, stateDir, callbackUrl: receiver.url };
      prepared.push({ story, ...(await prepare(place, story)) });
    }
    const cases = prepared.map(({ known }) => known);
    say(`${cases.length} stories prepared`);

    const harms = startHarm(system, plan, interrupted);
    let begun = 0;
    const lane = async () => {
      for (;;) {
        const next = prepared[begun];
        begun += 1;
        if (!next) return;
        const meetFaults = async () => {
          for (const fault of next.story.faults) await harms.set(fault);
        };
        next.known.startedMs = Date.now();
        // A story that gave up has no end, unless its record shows one later.
        await next.play(meetFaults).catch(() => undefined);
        if (begun % 10 === 0) say(`${begun} stories begun, ${harms.done.length} harms`);
      }
    };
    await Promise.all(Array.from({ length: plan.lanes }, lane));
    await harms.stop();
    say(`harm is over after ${harms.done.length}; settling`);

    const taken = () => receiver.received.filter(({ answer }) => answer === 200);
    const known = { dev, cases, taken, reader, harms, sinceMs: startedMs };
    const evidence: Evidence = { ...(await settled(known)), closed: await closeDays(dev, firstDay) };
    const findings = judge(evidence);
    const { planted, missed } = missedPlants(evidence, findings);
    return {
      ...summed(plan, evidence, harms),
      findings,
      planted,
      missed,
      atRisk: atRisk(evidence.books),
      readerDid: reader.done,
      seconds: Math.round((Date.now() - startedMs) / 1_000),
    };
  } finally {
    await receiver.stop();
    await reader.stop();
  }
}

/** Judges repeatedly until nothing is missing or the time is over. */
async function settled({
  dev,
  taken,
  reader,
  ...known
}: Omit<Evidence, 'books'> & {
  dev: DevJson;
  taken: () => Parameters<typeof readBooks>[2];
  reader: EventReader;
}): Promise<Evidence> {
  const endsAt = Date.now() + settledWithinMs;
  for (;;) {
    for (const one of known.cases)
      if (!['submit', 'intake', 'create'].includes(one.kind)) await learn(dev, one).catch(() => undefined);
    await reader.catchUp();
    const evidence = { ...known, books: await readBooks(dev, known.cases, taken(), reader) };
    const mayPass = judge(evidence).some(({ class: kind }) => kind === 'lost' || kind === 'stuck');
    if (!mayPass || Date.now() > endsAt) return evidence;
    await pause(1_000);
  }
}

function summed(plan: Plan, { cases, books }: Evidence, { done, faultsSet }: Harms) {
  const counted = (names: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const kills = done.filter(({ kind }) => kind === 'kill');
  const alone = kills.filter((kill) => !metAnother(kill, done));
  const ofStatus = (status: string) => cases.filter((known) => known.status === status).length;
  return {
    slice: plan.slice,
    split: plan.split,
    stories: counted(cases.map(({ kind }) => kind)),
    requests: cases.reduce((sum, { requests }) => sum + requests, 0),
    completed: ofStatus('completed'),
    failed: ofStatus('failed'),
    warned: cases.filter(({ warnings }) => warnings.length > 0).length,
    kills: counted(kills.map(({ target }) => target)),
    freezes: done.filter(({ kind }) => kind === 'freeze').length,
    cuts: done.filter(({ kind }) => kind === 'cut').length,
    faults: counted(faultsSet.map(({ kind }) => kind)),
    lostAnswers: books.calls.filter(({ fault }) => fault === 'lost-answer').length,
    caughtMs: cases.flatMap((known) => caught(known, kills)),
    apisMs: alone.flatMap(({ apisAfterMs }) => apisAfterMs ?? []),
    backMs: alone.flatMap(({ backAfterMs }) => backAfterMs ?? []),
    backMsOf: timesBack(alone),
  };
}

/** True if another harm came before everything was ready; the time then includes both. */
const metAnother = ({ atMs, backAfterMs }: Harm, done: readonly Harm[]): boolean =>
  backAfterMs !== null &&
  done.some(({ kind, atMs: next }) => kind !== 'cut' && next > atMs && next < atMs + backAfterMs);

function timesBack(kills: readonly Harm[]): Record<string, number[]> {
  const times: Record<string, number[]> = {};
  for (const { target, backAfterMs } of kills)
    if (backAfterMs !== null) (times[target] ??= []).push(backAfterMs);
  return times;
}

function caught({ startedMs, endedMs }: Case, kills: readonly Harm[]): number[] {
  if (endedMs === null) return [];
  const last = kills.findLast(({ atMs }) => atMs > startedMs && atMs < endedMs);
  return last ? [endedMs - last.atMs] : [];
}
