import { isDeepStrictEqual } from 'node:util';
import { Client } from '@temporalio/client';
import type { WorkflowBundle } from '@temporalio/worker';
import { showProgress } from '../../dev/progress.js';
import { prepareRules } from '../helpers/rules-setup.js';
import { startTimeSkipping } from '../helpers/time-skipping.js';
import { allCases, type ReplayCase } from './cases.js';
import { type Decision, type RecordedRun, replayWatched, watchedBundle } from '../../cli/rehearse/digest.js';
import { encryptedCase, encryptedFile, testConverter } from './encrypted.js';
import { type Server, withWorkers } from './run-case.js';
import { withDevServer } from './servers.js';
import { releasedHistories } from './released.js';
import {
  caseOf,
  digestOf,
  hasHistory,
  namesOf,
  readHistory,
  removeHistory,
  storedIds,
  writeDigest,
  writeHistory,
} from './stored.js';

const progress = showProgress(process.stdout);

/** Workflows, or cases by their ids as `settlePayment/found`: only these are recorded, and nothing else is looked at. */
const only = process.argv.slice(2);
const isAsked = (id: string) =>
  only.length === 0 || only.some((name) => caseOf(id) === name || id.startsWith(`${name}/`));

const released = releasedHistories();

/**
 * `npm run generate -- histories [<case or workflow> …]`: runs every case, or those that are named, and stores its
 * history and digest. A stored history stays as it is while the present code replays it to the digest of the new one,
 * so that what changes in review is what the code decides. A history of a release stays in any case; what the code
 * decides by now is stored beside it.
 */
async function main(): Promise<void> {
  await prepareRules();
  const cases = new Map([...(await allCases())].filter(([id]) => isAsked(id)));
  const workflowBundle = await watchedBundle();
  await describeReleased(workflowBundle);
  const newest = new Map([...cases].map(([id, one]) => [namesOf(id).newest, one]));
  const changed = await store(newest, workflowBundle);
  const next = changed.map(caseOf).map((id) => [namesOf(id).next, cases.get(id)!] as const);
  if (next.length > 0) await store(new Map(next), workflowBundle);

  const gone = storedIds().filter((id) => isAsked(id) && !cases.has(caseOf(id)) && !released.has(id));
  for (const id of gone) {
    removeHistory(id);
    progress.say(`removed ${id}`);
  }
  progress.say(`${cases.size} histories are up to date.`);
}

/** Writes the digests of released histories, whose texts may change. @throws if the present code does not carry one on */
async function describeReleased(workflowBundle: WorkflowBundle): Promise<void> {
  const kept = storedIds().filter((id) => isAsked(id) && released.has(id));
  const replayed = await replayWatched(
    workflowBundle,
    kept.map((id) => readHistory(id)),
  );
  for (const [id, { decisions, error }] of replayed) {
    if (error)
      throw new Error(`${id} of a release breaks: guard the change with patched()`, { cause: error });
    writeDigest(id, digestOf(decisions));
  }
}

/** @returns the ids of released histories that the present code would not make any more */
async function store(cases: Map<string, ReplayCase>, workflowBundle: WorkflowBundle): Promise<string[]> {
  const { recorded, encrypted } = await record(cases, workflowBundle);

  const fresh = await replayWatched(workflowBundle, recorded);
  const known = storedIds().filter((id) => cases.has(id));
  const changed: string[] = [];
  const kept = await replayWatched(
    workflowBundle,
    known.map((id) => readHistory(id)),
  );
  for (const stored of recorded) {
    const id = stored.workflowId;
    const { decisions, error } = fresh.get(id)!;
    if (error) throw new Error(`${id} does not replay right after it was recorded`, { cause: error });
    const isCurrent =
      kept.get(id)?.error === undefined && isDeepStrictEqual(kept.get(id)?.decisions, decisions);
    if (released.has(id)) {
      if (!isCurrent) changed.push(id);
      continue;
    }
    writeDigest(id, digestOf(decisions));
    if (isCurrent) continue;
    writeHistory(stored);
    progress.say(`recorded ${id}`);
  }
  if (
    encrypted &&
    !released.has(encryptedFile) &&
    !(await encryptedIsCurrent(workflowBundle, fresh.get(encryptedCase)!.decisions))
  ) {
    writeHistory(encrypted, encryptedFile);
    progress.say(`recorded ${encryptedFile}`);
  }
  return changed;
}

/** Runs all cases, one after the other; one of them a second time, encrypted. */
async function record(cases: Map<string, ReplayCase>, workflowBundle: WorkflowBundle) {
  const recordAll = async (server: Server, skipTime: true | undefined): Promise<RecordedRun[]> =>
    withWorkers(server, async (run) => {
      const histories: RecordedRun[] = [];
      for (const [id, replayCase] of cases)
        if (replayCase.skipTime === skipTime) histories.push(await run(id, replayCase));
      return histories;
    });

  const time = await startTimeSkipping();
  const skipping = { client: time.env.client, native: time.env.nativeConnection, workflowBundle };
  const skipped = await recordAll(skipping, true).finally(() => time.stop());

  return withDevServer(progress, async (native) => {
    const server = { client: new Client({ connection: native }), native, workflowBundle };
    const recorded = [...skipped, ...(await recordAll(server, undefined))];

    const example = cases.get(encryptedCase);
    if (!example) return { recorded, encrypted: undefined };
    const dataConverter = testConverter();
    const encrypting = {
      ...server,
      client: new Client({ connection: native, dataConverter }),
      dataConverter,
    };
    const sample = cases.get(encryptedCase);
    const encrypted = sample && (await withWorkers(encrypting, (run) => run(encryptedCase, sample)));
    return { recorded, encrypted };
  });
}

/** The older the sample, the more it says: it stays until the code or the format has changed on purpose. */
async function encryptedIsCurrent(workflowBundle: WorkflowBundle, decisions: Decision[]): Promise<boolean> {
  if (!hasHistory(encryptedFile)) return false;
  const sample = readHistory(encryptedCase, encryptedFile);
  const replayed = (await replayWatched(workflowBundle, [sample], testConverter())).get(encryptedCase);
  return replayed?.error === undefined && isDeepStrictEqual(replayed?.decisions, decisions);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await main();
