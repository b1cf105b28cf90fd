import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSql, type Sql } from '../../db/client.js';
import { approve, chargesOf, runsOf, semaglutideFor, submissionIdOf } from '../api/orchestrator/approvals.js';
import { atPharmacy, booked, cancel, refundsOf } from '../api/orchestrator/exceptions.js';
import { call, shared } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { batchesOf, holds, shortestFailure } from './check.js';
import {
  beyondRepair,
  type Books,
  type Command,
  commands,
  explain,
  type Told,
  unequalRepeats,
  unsettled,
} from './approval-model.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

type Approval = ReturnType<typeof semaglutideFor>;
/** For consequences that come by themselves, as a refund; no correct story ends by it. */
const patienceMs = 120_000;

/** Sends one command of a story. */
async function send(command: Command, batch: number, approval: Approval): Promise<Told> {
  const { taskId } = approval;
  switch (command) {
    case 'approve': {
      const { status, headers, body } = await approve(dev, approval);
      return told(command, batch, { status, headers, error: body.error, answer: body.result });
    }
    case 'deny': {
      const path = '/orchestrator/deny';
      const body = { taskId, emrPatientId: approval.emrPatientId };
      const answer = await call<{ error?: string }>(dev, 'orchestrator', { method: 'POST', path, body });
      return told(command, batch, { ...answer, error: answer.body.error });
    }
    case 'cancel': {
      const { status, headers, body } = await cancel(dev, { taskId, reason: 'Prescribed twice.' });
      return told(command, batch, { status, headers, error: body.error, answer: body.cancellation });
    }
    default:
      return told(command, batch, { status: await report(command, taskId) });
  }
}
const told = (
  command: Command,
  batch: number,
  {
    status,
    headers,
    error,
    answer,
  }: { status: number; headers?: Headers; error?: string | undefined; answer?: unknown },
): Told => ({
  command,
  batch,
  status,
  isReplayed: headers?.get('idempotent-replayed') === 'true',
  ...(error === undefined ? {} : { error }),
  ...(answer === undefined ? {} : { answer }),
});

/** The pharmacy moves its order and says so, or says again what it said first. @returns what it was answered; 0: nothing to say */
async function report(
  news: Exclude<Command, 'approve' | 'deny' | 'cancel'>,
  taskId: string,
): Promise<number> {
  const [order] = await booked(dev, taskId);
  if (!order) return 0;
  const status = news === 'again' ? order.moves[0]?.status : news;
  if (status === undefined) return 0;
  if (news === 'shipped' || news === 'delivered') {
    const isMoved = await atPharmacy(dev, order, 'status', { status, silent: true }).then(
      () => true,
      () => false,
    );
    if (!isMoved) return 0;
  }
  const answer = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets['pharmacy_a'] },
    body: JSON.stringify({ caseId: order.orderId, rxStatus: status }),
  });
  return answer.status;
}

async function readBooks(taskId: string): Promise<Books> {
  const [orders, charges, refunds, runs, callbacks] = await Promise.all([
    booked(dev, taskId),
    chargesOf(dev, taskId),
    refundsOf(dev, taskId),
    runsOf(dev, taskId),
    call<{ callbacks?: { kind: string; payload: { status: string } }[] }>(dev, 'router', {
      key: 'orchestrator',
      path: `/rx/prescriptions/${submissionIdOf(dev, taskId)}/callbacks`,
    }),
  ]);
  return {
    orders: orders.map(({ moves }) => ({ isCancelled: moves.some(({ status }) => status === 'cancelled') })),
    charges: charges.map(({ amountCents }) => amountCents),
    refunds: refunds.map(({ amountCents }) => amountCents),
    runs: runs.map(({ status }) => status),
    states: (callbacks.body.callbacks ?? [])
      .filter(({ kind }) => kind === 'update')
      .map(({ payload }) => payload.status),
  };
}

/** Lives a story with a task of its own. @throws what the model finds wrong with it */
async function live(story: Command[][], taskOf = (taskId: string) => taskId): Promise<void> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const usual = semaglutideFor(patient.id);
  const approval = { ...usual, taskId: taskOf(usual.taskId) };
  const history: Told[] = [];
  for (const [batch, together] of story.entries())
    history.push(...(await Promise.all(together.map((command) => send(command, batch, approval)))));
  const ends = explain(history);
  const unequal = unequalRepeats(history);
  if (unequal !== undefined) throw new Error(unequal);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const books = await readBooks(approval.taskId);
    const wrong = beyondRepair(books);
    if (wrong !== undefined) throw new Error(wrong);
    const missing = ends.map((task) => unsettled(task, books));
    if (missing.includes(undefined)) return;
    if (Date.now() > deadline) throw new Error(missing.join('; or '));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const weights: Partial<Record<Command, number>> = { approve: 4, cancel: 3, deny: 2 };
const stories = batchesOf(
  fc.oneof(
    ...commands.map((command) => ({ weight: weights[command] ?? 1, arbitrary: fc.constant(command) })),
  ),
  { batches: 3, atOnce: 3 },
);

test('some order of the commands explains every answer: one live order, one charge, one refund, whatever is sent at once', async () => {
  await holds(stories, 60, live);
});

test('the control: where the claim of a task does not last, the model tells it by a shortest story of two commands', async () => {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  // As if nobody had approved: for the tasks of these stories only.
  await sql.unsafe(`
    create schema ${schema};
    create function ${schema}.forget() returns trigger language plpgsql as
      $$ begin new.state := 'failed'; return new; end $$;
    create trigger forgets before update on orchestrator.task for each row
      when (new.task_id like '${schema}-%' and new.state = 'completed') execute function ${schema}.forget();
  `);
  try {
    const { story, found, firstFound } = await shortestFailure(
      batchesOf(fc.constantFrom<Command>('approve', 'deny'), { batches: 3, atOnce: 2 }),
      20,
      (batches) => live(batches, (taskId) => `${schema}-${taskId}`),
    );
    expect(story.flat()).toHaveLength(2);
    expect(story[0]).toEqual(['approve']);
    expect(firstFound.flat().length).toBeGreaterThanOrEqual(2);
    expect(found).toMatch(/No order of them explains deny -> 200|an approval was done again/);
  } finally {
    await sql.unsafe(`drop schema ${schema} cascade`);
  }
});
