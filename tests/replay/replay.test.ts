import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DataConverter } from '@temporalio/common';
import { Worker, type WorkflowBundle } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import * as workflows from '../../workflows/index.js';
import { leavePromisesAlone } from '../helpers/time-skipping.js';
import { allCases } from './cases.js';
import {
  type Decision,
  overlap,
  type Replayed,
  replayWatched,
  silenceSdk,
  watchedBundle,
} from '../../cli/rehearse/digest.js';
import { encryptedCase, encryptedFile, testConverter } from './encrypted.js';
import { releasedHistories } from './released.js';
import { caseOf, digestOf, readDigest, readHistory, storedIds } from './stored.js';

const ids = storedIds();
const histories = ids.map((id) => readHistory(id));
const sample = readHistory(encryptedCase, encryptedFile);
/** The command to run if a difference is meant. */
const advice =
  'changed on purpose? npm run generate -- histories, and look at what changes in tests/replay/histories';

const hasOverlap = (decisions: Decision[]) => decisions.some(({ name }) => name === overlap);
const pathOf = (module: string) => fileURLToPath(new URL(module, import.meta.url));
let bundling: Promise<WorkflowBundle> | undefined;
const presentBundle = () => (bundling ??= watchedBundle());

beforeAll(() => {
  leavePromisesAlone();
  silenceSdk();
});

/** The errors of a replay by the id of the run, with the bundle that workers run. */
async function replay(stored: typeof histories, dataConverter?: DataConverter) {
  const workflowBundle = { codePath: process.env['SCRIPTRAIL_TEST_BUNDLE']! };
  const options = { workflowBundle, ...(dataConverter ? { dataConverter } : {}) };
  const errors: Record<string, string> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories(options, stored))
    if (error) errors[workflowId] = error.message;
  return errors;
}

describe('the stored histories', () => {
  it('are of every workflow there is', () => {
    const exported = Object.entries(workflows).flatMap(([name, value]) =>
      typeof value === 'function' ? name : [],
    );
    const covered = new Set(ids.map((id) => id.split('/')[0]));
    expect(exported.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('are those of the cases', async () => {
    const cases = [...(await allCases()).keys()].sort();
    // A release's history stays when its case goes, since runs like it may be open.
    const stored = ids.filter((id) => cases.includes(caseOf(id)) || !releasedHistories().has(id)).map(caseOf);
    expect({ ids: [...new Set(stored)], advice }).toEqual({ ids: cases, advice });
  });
});

describe('the present code, replayed', () => {
  let present: Map<string, Replayed>;
  // All of them, one after the other: a minute of work that a busy machine stretches.
  const withinMs = 900_000;
  beforeAll(async () => (present = await replayWatched(await presentBundle(), histories)), withinMs);

  it('carries every history on', () => {
    const errors = [...present].flatMap(([id, { error }]) => (error ? { id, error: error.message } : []));
    expect({ errors, replayed: present.size, advice }).toEqual({ errors: [], replayed: ids.length, advice });
  });

  // Properties that replay itself does not compare: timeouts, retries, arguments, texts.
  it.each(ids)('decides %s as it was recorded', (id) => {
    expect(digestOf(present.get(id)!.decisions)).toBe(readDigest(id));
  });

  it('no run has two local activities at once', () => {
    const overlapping = [...present].filter(([, { decisions }]) => hasOverlap(decisions));
    expect(overlapping.map(([id]) => id)).toEqual([]);
  });
});

describe('changed code', () => {
  let changed: Map<string, Replayed>;
  beforeAll(async () => {
    const bundle = await watchedBundle(undefined, {
      workflows: pathOf('./control/workflows.ts'),
      interceptors: pathOf('./control/interceptors.ts'),
    });
    const types = ['approvePrescription', 'submitPrescription', 'denyPrescription', 'sendNotification'];
    const some = ids.filter((id) => types.some((type) => id.startsWith(`${type}/`)));
    changed = await replayWatched(
      bundle,
      some.map((id) => readHistory(id)),
    );
  });

  it('with a pause that was not there breaks every run', () => {
    const approvals = ids.filter((id) => id.startsWith('approvePrescription/'));
    for (const id of approvals) expect(changed.get(id)?.error).toBeInstanceOf(DeterminismViolationError);
  });

  it('with two activities swapped breaks a run', () => {
    expect(changed.get('submitPrescription/accepted')?.error).toBeInstanceOf(DeterminismViolationError);
  });

  it('with two local activities side by side is found out', () => {
    expect(hasOverlap(changed.get('denyPrescription/told')!.decisions)).toBe(true);
  });

  it('with another budget breaks none, and shows in the digest', () => {
    const { decisions, error } = changed.get('sendNotification/sent')!;
    const digest = digestOf(decisions);
    expect(error).toBeUndefined();
    expect(digest).not.toBe(readDigest('sendNotification/sent'));
    expect(digest).toContain('startToCloseTimeout: 3600000 ms');
  });
});

describe('the encrypted run', () => {
  it('replays with the key, failures included', async () => {
    expect(await replay([sample], testConverter())).toEqual({});
    const replayed = await replayWatched(await presentBundle(), [sample], testConverter());
    expect(digestOf(replayed.get(encryptedCase)!.decisions)).toBe(readDigest(encryptedCase));
  });

  it('does not replay without it, or with another', async () => {
    expect(Object.keys(await replay([sample]))).toEqual([encryptedCase]);
    expect(Object.keys(await replay([sample], testConverter(8)))).toEqual([encryptedCase]);
  });

  it('shows nothing of what it is about', () => {
    const decoded = (value: string) => `${value} ${Buffer.from(value, 'base64').toString('latin1')}`;
    const text = JSON.stringify(sample.history, (_key, value: unknown) =>
      typeof value === 'string' ? decoded(value) : value,
    );
    expect(text).toContain('binary/encrypted');
    expect(text).toContain('Encoded failure');
    for (const secret of ['Ada', 'rejected the order', 'patient-1', '1990-01-31'])
      expect(text).not.toContain(secret);
  });
});
