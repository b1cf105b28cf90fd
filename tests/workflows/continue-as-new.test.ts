import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = new URL('../../workflows/', import.meta.url).pathname;

/** Runs that take signals or updates, and end too soon for a history to grow without end. */
const briefRuns: Record<string, string> = {
  'interceptors.ts': 'our own worker signals a run whose activity keeps failing, once for each activity',
  'orchestrator/follow-shipment.ts': 'ends with the last update that arrived; the next one starts it again',
  'intake/find-or-create-emr-patient.ts': 'ends with the last call that waits; the next one starts it again',
  'intake/abandoned-checkout.ts': 'lasts a day at most, and an address sends one signal for each intake',
};

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'handlers.ts')
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

/** `workThroughQueue` continues as new itself. */
const continues = /\bcontinueAsNew\b.*\(|\bworkThroughQueue\b.*\(/;
const takesMessages = /\bsetHandler\(\s*\w+(Update|Signal)\b|\brechecks\(\)/;

test('a workflow that takes updates or signals continues as new, or is brief', () => {
  const taking = sources.filter(([, text]) => takesMessages.test(text));
  expect(taking.map(([name]) => name)).toEqual(
    expect.arrayContaining(['orchestrator/recover-payment.ts', 'router/follow-hold.ts']),
  );
  const endless = taking.filter(([, text]) => !continues.test(text)).map(([name]) => name);
  expect(endless.sort()).toEqual(Object.keys(briefRuns).sort());
});
