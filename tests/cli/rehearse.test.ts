import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundle } from '@temporalio/worker';
import { asText } from '../../cli/rehearse/command.js';
import { compareBuilds } from '../../cli/rehearse/compare.js';
import { silenceSdk, watchedBundle } from '../../cli/rehearse/digest.js';
import { approve, semaglutideFor } from '../api/orchestrator/approvals.js';
import { patientIn, shared } from '../helpers/client.js';
import { leavePromisesAlone } from '../helpers/time-skipping.js';
import { rx } from './rx.js';
import { readHistory, storedIds } from '../replay/stored.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const orchestrator = join(root, 'workflows/orchestrator');
const pipeline = 'pipeline.ts';
const charge = 'charge-saved-card.ts';

/** A change of the code, and what a rehearsal of the stored runs must name. */
const planted: {
  what: string;
  file: string;
  from: string | RegExp;
  to: string;
  step: RegExp;
  /** True if Temporal's own replay notices it. */
  breaks: boolean;
}[] = [
  {
    what: 'two steps in another order',
    file: pipeline,
    from: /const patient = (await steps\.block\('patient_details'[\s\S]*?\);)/,
    to: "await steps.block('prescriber_resolution', (title) => reads(title).resolvePrescriber({ state: 'NY' }));\n    const patient = $1",
    step: /fetchPatient/,
    breaks: true,
  },
  {
    what: 'a rounding of the amount',
    file: pipeline,
    from: 'chargeSavedCard(title, { taskId, emrPatientId, priceCents, requestedBy })',
    to: 'chargeSavedCard(title, { taskId, emrPatientId, priceCents: Math.round(priceCents / 1000) * 1000, requestedBy })',
    step: /chargeSavedCard/,
    breaks: false,
  },
  {
    what: 'a timeout of a step',
    file: pipeline,
    from: "startToCloseTimeout: '25500 ms'",
    to: "startToCloseTimeout: '5500 ms'",
    step: /submitToPharmacy/,
    breaks: false,
  },
  {
    what: 'a heartbeat that is gone',
    file: pipeline,
    from: /(25500 ms',\n\s+)heartbeatTimeout: '8 s',/,
    to: '$1',
    step: /submitToPharmacy/,
    breaks: false,
  },
  {
    what: 'the retries of a charge',
    file: charge,
    from: "initialInterval: '500 ms'",
    to: "initialInterval: '50 ms'",
    step: /chargeSavedCard/,
    breaks: false,
  },
  {
    what: 'the key of an order',
    file: pipeline,
    from: 'sourceOrderId: placing?.reference ?? reference',
    to: 'sourceOrderId: `${placing?.reference ?? reference}#2`',
    step: /submitToPharmacy/,
    breaks: false,
  },
  {
    what: 'an activity more',
    file: pipeline,
    from: "  const placed = await steps.block('pharmacy_submission'",
    to: "  await reads('Again').resolvePrescriber({ state: patient.address.state });\n  const placed = await steps.block('pharmacy_submission'",
    step: /resolvePrescriber|submitToPharmacy/,
    breaks: true,
  },
  {
    what: 'an activity less',
    file: pipeline,
    from: /await steps\.attempt\('payment'[\s\S]*?\);\n {2}const failed/,
    to: 'const failed',
    step: /chargeSavedCard/,
    breaks: true,
  },
  {
    what: 'another text to the patient',
    file: pipeline,
    from: "type: 'prescription_approved'",
    to: "type: 'prescription_denied' as never",
    step: /notifyPatient/,
    breaks: false,
  },
  {
    what: 'a search attribute less',
    file: pipeline,
    from: /\.\.\.\(placed \? \[\{ key: rxSubmission, value: placed\.submissionId \}\] : \[\]\),/,
    to: '',
    step: /upsertWorkflowSearchAttributes/,
    breaks: false,
  },
];

describe('a rehearsal of the stored runs', () => {
  const approvals = storedIds()
    .filter((id) => id.startsWith('approvePrescription/'))
    .map((id) => readHistory(id));
  let copies: string;
  let bundle: WorkflowBundle;

  // Bundling takes longer than replaying, so one bundle holds this workflow as it is and with each change.
  beforeAll(async () => {
    leavePromisesAlone();
    silenceSdk();
    copies = mkdtempSync(join(tmpdir(), 'rehearse-'));
    symlinkSync(join(root, 'node_modules'), join(copies, 'node_modules'));
    for (const room of ['workflows', 'domain', 'activities', 'platform', 'cli'])
      cpSync(join(root, room), join(copies, room), { recursive: true });
    const folders = planted.map(({ file, from, to }, number) => {
      const folder = join(copies, `workflows/changed-${number}`);
      cpSync(orchestrator, folder, { recursive: true });
      writeFileSync(join(folder, file), sourceOf(file).replace(from, to));
      return `changed-${number}`;
    });
    const builds = ['orchestrator', ...folders].map((name) => `require('./${name}/approve-prescription.js')`);
    writeFileSync(
      join(copies, 'workflows/index.ts'),
      `export const { approvePrescription } = [${builds.join(', ')}][chosen];\n`,
    );
    bundle = await watchedBundle(copies);
  });
  afterAll(() => rmSync(copies, { recursive: true, force: true }));

  const sourceOf = (file: string) => readFileSync(join(orchestrator, file), 'utf8');

  /** @param chosen 0 without a change, or the number of a planted change, from 1 */
  const build = (chosen: number) => ({ ...bundle, code: bundle.code.replace('[chosen]', `[${chosen}]`) });

  test('on the same build finds nothing', async () => {
    const found = await compareBuilds(approvals, { running: build(0), next: build(0) });
    expect(found.filter((difference) => difference !== undefined)).toEqual([]);
  });

  test.each(planted)('finds $what', async (change) => {
    const { file, from, to, step, breaks } = change;
    expect(sourceOf(file).replace(from, to)).not.toBe(sourceOf(file));
    const builds = { running: build(0), next: build(1 + planted.indexOf(change)) };
    const found = (await compareBuilds(approvals, builds)).filter((one) => one !== undefined);
    expect(found.map((one) => one.step)).toContainEqual(expect.stringMatching(step));
    const named = found.filter((one) => step.test(one.step));
    expect(named.some((one) => one.replayError !== null)).toBe(breaks);
    expect(named.every((one) => one.before.length + one.after.length > 0)).toBe(true);
    const printed = named.map((one) => asText(one, ['approval:one', 'approval:two']));
    const verdict = breaks
      ? /^ {2}Temporal's replay: .*Nondeterminism/m
      : /^ {2}Temporal's replay would not notice\.$/m;
    expect(printed).toContainEqual(expect.stringMatching(verdict));
    expect(printed.every((text) => text.includes('2 runs, such as approval:one, approval:two'))).toBe(true);
  });
});

test('rx rehearse replays the runs of a namespace, says how to continue, and finds no difference on the same build', async () => {
  const dev = shared();
  await approve(dev, semaglutideFor(patientIn(dev, 'NY')));
  const { stdout, stderr, exitCode } = await rx('rehearse', '--since', '1h', '--limit', '30', '--from', root);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: expect.stringMatching(/^\d+ runs? replayed, 0 differences, 0 meant\.\n$/),
    stderr: expect.stringMatching(/To continue from here: --until 20/),
    exitCode: 0,
  });
  // The runs that were reached last are replayed again, and then older ones.
  const until = /--until (\S+)\n$/.exec(stderr)?.[1] ?? '';
  const later = await rx('rehearse', '--since', '1h', '--limit', '30', '--until', until);
  expect(later).toMatchObject({ stdout: expect.stringContaining(' 0 differences, 0 meant.'), exitCode: 0 });
  const reached = /--until (\S+)\n$/.exec(later.stderr)?.[1] ?? until;
  expect(Date.parse(reached)).toBeLessThanOrEqual(Date.parse(until));
});
