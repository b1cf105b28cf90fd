import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { fromWire, toWire } from '../../api/codec/contract.js';
import { scrubHistory, type WirePayload } from '../../cli/scrub-history.js';
import { codeVocabulary } from '../../cli/vocabulary.js';
import type { HistoryJson } from '../../platform/temporal/history.js';
import { encryptedCase, encryptedFile, testCodec } from './encrypted.js';
import { runOf, silenceSdk } from '../../cli/rehearse/digest.js';
import { readText, storedFile, storedIds } from './stored.js';

/** As the codec server does it. */
const decode = async (sealed: WirePayload[]) =>
  (await testCodec.decode(sealed.map((payload) => fromWire(payload)))).map(toWire);
const vocabulary = codeVocabulary();
const scrubbed = (json: string) => scrubHistory(JSON.parse(json), decode, vocabulary);

async function brokenOf(histories: Iterable<unknown>) {
  const workflowBundle = { codePath: process.env['SCRIPTRAIL_TEST_BUNDLE']! };
  const broken: Record<string, string> = {};
  const parsed = [...histories].map((history, index) => runOf(history as HistoryJson, `captured-${index}`));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, parsed))
    if (error) broken[workflowId] = error.message;
  return broken;
}

/** All readable texts of a history, with decoded payloads. */
const readable = (history: unknown) =>
  JSON.stringify(history, (key, value: unknown) =>
    typeof value === 'string' && (key === 'data' || key === 'encoding')
      ? Buffer.from(value, 'base64').toString()
      : value,
  );

beforeAll(() => {
  silenceSdk();
});

describe('a captured history', () => {
  const sealed = readFileSync(storedFile(encryptedFile), 'utf8');

  it('names nobody, and keeps what the code decides by', async () => {
    const secrets = ['Ada', 'patient-1', '1990-01-31', 'rejected the order'];
    const [plain, captured] = [JSON.parse(readText(encryptedCase)) as unknown, await scrubbed(sealed)].map(
      readable,
    );
    expect(secrets.filter((secret) => !plain?.includes(secret))).toEqual([]);
    expect(secrets.filter((secret) => captured?.includes(secret))).toEqual([]);
    expect(captured).not.toContain('binary/encrypted');
    expect(captured).toContain('semaglutide');
  });

  it('replays without any key', async () => {
    expect(await brokenOf([await scrubbed(sealed)])).toEqual({});
  });

  it('replays whatever workflow it is of, and whatever became of it', async () => {
    const chosen = new Map<string, string>();
    for (const id of storedIds()) {
      const text = readText(id);
      // The server that skips time does not note a run's id.
      if (!text.split('\n')[1]?.includes('"workflowId"')) continue;
      const [type = ''] = id.split('/');
      if (text.length > (chosen.get(type)?.length ?? 0)) chosen.set(type, text);
      // Child ids derive from replaced texts.
      if (text.includes('CHILD_WORKFLOW')) chosen.set(id, text);
    }
    expect(chosen.size).toBeGreaterThan(30);
    const histories = await Promise.all([...chosen.values()].map(scrubbed));
    expect(await brokenOf(histories)).toEqual({});
  });
});
