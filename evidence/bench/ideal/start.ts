import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSql } from '../../../db/client.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { type ForkedApp, forkApp } from '../forked-app.js';
import type { Work } from '../measure.js';
import { exchange } from './calls.js';
import { sender } from './settings.js';
import { makeTables } from './tables.js';

const states = ['NY', 'TX', 'WA'];

/**
 * Starts the seven steps in one process beside a running system. They use its Temporal, patients and sandbox, and
 * their own database on its Postgres.
 */
export async function startIdeal(
  dev: DevJson,
  way: 'temporal' | 'dbos' | 'plain',
): Promise<ForkedApp & { run: Work }> {
  const name = `ideal_${way}`;
  const owner = createSql(dev.databaseUrl, { applicationName: 'bench', max: 1 });
  for (const database of [name, `${name}_system`]) await owner.unsafe(`create database ${database}`);
  const profiles = await owner<{ patientId: string; customerId: string; paymentMethodId: string }[]>`
    select emr_patient_id as patient_id, customer_id, payment_method_id from orchestrator.payment_profile
  `;
  await owner.end();
  await makeTables(inDatabase(dev, name), profiles);

  const app = await forkApp(fileURLToPath(new URL('main.ts', import.meta.url)), {
    env: {
      ...environmentOf(dev.pids.workers),
      IDEAL_WAY: way,
      IDEAL_DATABASE_URL: inDatabase(dev, name),
      IDEAL_SYSTEM_DATABASE_URL: inDatabase(dev, `${name}_system`),
    },
  });
  let turn = 0;
  const patientIn = (state = '') =>
    dev.patients.find((patient) => patient.state === state && patient.card === 'pm_card_visa')?.emrPatientId;
  return {
    ...app,
    run: () => {
      const patientId = patientIn(states[(turn += 1) % states.length]);
      const approval = { taskId: randomUUID(), medication: 'semaglutide', patientId };
      const body = JSON.stringify(approval);
      // At full load on a busy machine, an approval takes as long as the others.
      return exchange(`${app.url}/approve`, {
        headers: signedHeaders(sender, body),
        body,
        timeoutMs: 120_000,
      });
    },
  };
}

function inDatabase(dev: DevJson, name: string): string {
  const url = new URL(dev.databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The environment of the product's process, with addresses and keys. Linux only. */
const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
