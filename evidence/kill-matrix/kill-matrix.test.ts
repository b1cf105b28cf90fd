import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { dataUriPrefix } from '../../domain/signature-image.js';
import { startTestSystem, type TestSystem } from '../../tests/helpers/system.js';
import { openTemporal } from '../../tests/helpers/temporal-view.js';
import { guards, withoutGuard } from '../campaign/controls.js';
import { between, type Harm, section, whyNot } from './page.js';
import { type Moment, moments, type Step, steps } from './places.js';
import { type Found, killAt, loseAnswers, type Victim, victims } from './round.js';
import type { Scene } from './scene.js';

// Kills each process, or loses an answer, at each moment of each step of an approval. Several approvals, each at
// another step, share one kill. `npm run evidence -- kill-matrix` writes the table.

/** An approval that reached its place too late gets another round. */
const rounds = 6;

interface Running {
  scene: Scene;
  stop: () => Promise<void>;
}

async function startScene(sources?: string): Promise<Running> {
  const system: TestSystem = await startTestSystem({
    split: true,
    // Keeps orders with an unknown outcome unresolved.
    env: { ORDER_SETTLE_SECONDS: '3600' },
    ...(sources === undefined ? {} : { sources }),
  });
  const { dev } = system.system;
  const sql: Sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 4 });
  const temporal = await openTemporal(dev, system.stateDir);
  // Ends statements of a killed client soon, also while they wait for a lock.
  await sql`alter system set client_connection_check_interval = '50ms'`;
  await sql`select pg_reload_conf()`;
  // Gives step 3 a signature to store.
  await sql`update registry.physician set signature_image = ${`${dataUriPrefix}iVBORw0KGgo=`}`;
  return {
    scene: { dev, sql, temporal },
    stop: async () => {
      await temporal.close();
      await sql.end();
      await system.stop();
    },
  };
}

const verdicts = new Map<string, string>();
const nameOf = (step: Step, moment: Moment, harm: Harm) => [step, moment, harm].join(' ');

/** Runs the cells of one moment and harm until each has a result. */
async function run(moment: Moment, harm: Harm, round: (asked: Step[]) => Promise<Found>): Promise<void> {
  let left = steps.filter((step) => whyNot(step, moment, harm) === undefined);
  const wrong: string[] = [];
  for (let n = 0; n < rounds && left.length > 0; n += 1) {
    const found = await round(left);
    left = left.filter((step) => !found.has(step));
    for (const [step, findings] of found) {
      verdicts.set(nameOf(step, moment, harm), findings.length === 0 ? 'once' : findings.join(', '));
      wrong.push(...findings.map((finding) => `step ${step}: ${finding}`));
    }
  }
  expect({ wrong, neverPlaced: left }).toEqual({ wrong: [], neverPlaced: [] });
}

describe('one order, one charge, one label, one mail, completed without a warning', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startScene();
  });
  afterAll(() => running.stop());

  const kills = moments.flatMap((moment) => victims.map((victim): [Moment, Victim] => [moment, victim]));
  test.each(kills)('%s: %s killed', (moment, victim) =>
    run(moment, victim, (asked) => killAt(running.scene, moment, victim, asked)),
  );

  test.each(['before', 'done'] as const)('%s: the answer lost', (moment) =>
    run(moment, 'answer', (asked) => loseAnswers(running.scene, moment, asked)),
  );
});

test('a product that makes a key for each call is noticed: the order it was killed with is there twice', async () => {
  const [guard] = guards;
  await withoutGuard(guard!, async (sources) => {
    const { scene, stop } = await startScene(sources);
    try {
      let found: Found = new Map();
      for (let n = 0; n < rounds && found.size === 0; n += 1)
        found = await killAt(scene, 'done', 'api', ['4']);
      expect(found.get('4')).toEqual(['orders: 2 instead of 1']);
    } finally {
      await stop();
    }
  });
});

const page = new URL('../results/kill-matrix.md', import.meta.url);
const written = () =>
  section((step, moment, harm) => verdicts.get(nameOf(step, moment, harm))).then((text) => `\n\n${text}\n`);
afterAll(async () => {
  if (process.env['WRITE_KILL_MATRIX'] !== 'yes') return;
  const { before, after } = between(readFileSync(page, 'utf8'));
  writeFileSync(page, before + (await written()) + after);
});

test('evidence/results/kill-matrix.md shows this table', async () => {
  if (process.env['WRITE_KILL_MATRIX'] !== 'yes')
    expect(between(readFileSync(page, 'utf8')).section).toBe(await written());
});
