import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { fromWire, toWire } from '../../api/codec/contract.js';
import { scrubHistory, type WirePayload } from '../../cli/scrub-history.js';
import { codeVocabulary } from '../../cli/vocabulary.js';
import { encryptedFile, testCodec } from './encrypted.js';
import { readText, runOf, storedFile, storedIds } from './stored.js';

/** As the codec server does it. */
const decode = async (sealed: WirePayload[]) =>
  (await testCodec.decode(sealed.map((payload) => fromWire(payload)))).map(toWire);
const vocabulary = codeVocabulary();
const scrubbed = (json: string) => scrubHistory(JSON.parse(json), decode, vocabulary);

async function brokenOf(histories: Iterable<unknown>) {
  const workflowBundle = { codePath: process.env['SCRIPTRAIL_TEST_BUNDLE']! };
  const broken: Record<string, string> = {};
  const parsed = [...histories].map((history, index) => runOf(JSON.stringify(history), `captured-${index}`));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, parsed))
    if (error) broken[workflowId] = error.message;
  return broken;
}

/** Everything in a history that can be read, payloads opened. */
const readable = (history: unknown) =>
  JSON.stringify(history, (_key, value: unknown) =>
    typeof value === 'string' ? `${value} ${Buffer.from(value, 'base64').toString()}` : value,
  );

beforeAll(() => {
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
});

describe('a captured history', () => {
  const sealed = readFileSync(storedFile(encryptedFile), 'utf8');

  it('names nobody, and no run of ours', async () => {
    const captured = readable(await scrubbed(sealed));
    for (const secret of ['Ada', 'Lovelace', 'patient-1', '1990-01-31', 'rejected the order', 'encrypted'])
      expect(captured).not.toContain(secret);
    expect(captured).toContain('approvePrescription');
    // What the code decides by is there.
    expect(captured).toContain('semaglutide');
  });

  it('replays without any key', async () => {
    expect(await brokenOf([await scrubbed(sealed)])).toEqual({});
  });

  it('replays whatever workflow it is of, and whatever became of it', async () => {
    // The server that skips time does not note a run's id.
    const noted = storedIds()
      .map(readText)
      .filter((text) => /EXECUTION_STARTED.*"workflowId"/.test(text));
    expect(noted.length).toBeGreaterThan(100);
    const histories = await Promise.all(noted.map(scrubbed));
    expect(await brokenOf(histories)).toEqual({});
  });
});
