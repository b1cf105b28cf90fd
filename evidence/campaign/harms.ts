import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createSql } from '../../db/client.js';
import type { DevJson } from '../../dev/dev-json.js';
import { identify } from '../../dev/process-identity.js';
import { sandbox } from '../../tests/helpers/client.js';
import { setFault } from '../../tests/faults/faults.js';
import type { HarmKind, Plan, PlannedFault, Target } from './plan.js';
import { seeded } from '../../tests/helpers/random.js';
import type { SupervisedSystem } from './system.js';

export interface Harm {
  atMs: number;
  kind: HarmKind;
  target: Target | 'product';
  /** Time until every API was ready for good. */
  apisAfterMs: number | null;
  /** Time until workers, supervisor and sandbox were ready too. */
  backAfterMs: number | null;
}

/** Epoch milliseconds. */
interface Span {
  fromMs: number;
  untilMs: number;
}

export interface Harms {
  done: Harm[];
  faultsSet: PlannedFault[];
  /** When the simulated services, all one process, were down or frozen for any reason. */
  partiesAway: Span[];
  /** Processes that exited without a kill. */
  endedByThemselves: { name: string; atMs: number }[];
  set: (fault: PlannedFault) => Promise<void>;
  /** Stops the harm and waits until everything is ready. */
  stop: () => Promise<void>;
}

const watchEveryMs = 50;
const askEveryMs = 100;
/** A system that is not ready by then has failed. */
const backWithinMs = 300_000;

/** Kills and freezes processes and sets faults at external services until it is stopped. */
export function startHarm(system: SupervisedSystem, plan: Plan, interrupted: AbortSignal): Harms {
  const { dev } = system;
  // A separate sequence, so the duration of stories does not change the order of harms.
  const random = seeded(plan.seed + 1, plan.slice);
  const done: Harm[] = [];
  const endedByThemselves: Harms['endedByThemselves'] = [];
  const partiesAway: Span[] = [];
  const faultsSet: PlannedFault[] = [];
  const ending = new AbortController();
  const isBack = new AbortController();
  const ended = AbortSignal.any([ending.signal, interrupted]);
  const watched = AbortSignal.any([isBack.signal, interrupted]);
  const isOver = () => ended.aborted;
  const stopping = once(ended, 'abort');

  const seen = new Map<string, Running>();
  /** Processes whose exit is expected, by id. */
  const killed = new Set<string>();
  /** Processes that a killed supervisor left behind, by id, with the names that its successors stopped. */
  const left = new Map<string, () => string[]>();
  const endedByItself = (name: string) => endedByThemselves.push({ name, atMs: Date.now() });
  const look = () => {
    for (const [name, pid] of Object.entries(system.pids())) {
      const before = seen.get(name);
      if (pid === undefined || before?.pid === pid) continue;
      if (before && !killed.has(before.id) && !left.get(before.id)?.().includes(name)) {
        endedByItself(name);
        // The next supervisor replaces them all.
        if (name === 'start') for (const { id } of seen.values()) killed.add(id);
      }
      seen.set(name, { pid, id: idOf(pid) ?? `${pid} had ended` });
    }
  };
  look();
  const watching = (async () => {
    while (!watched.aborted) {
      await pause(watchEveryMs);
      if (!interrupted.aborted) look();
    }
  })();
  const watchingParties = watchParties(dev, partiesAway, watched);

  /** APIs and workers exit with the supervisor; the next supervisor stops the others. */
  const killSupervisor = async () => {
    const alive = [...seen].filter(([, running]) => isAlive(running));
    for (const [name, running] of seen)
      if (!isAlive(running) && !killed.has(running.id)) {
        endedByItself(name);
        killed.add(running.id);
      }
    const stopped = await system.killSupervisor();
    for (const [name, { id }] of alive)
      if (['start', 'api', 'workers'].includes(name)) killed.add(id);
      else left.set(id, stopped);
  };

  const harming = (async () => {
    while (!isOver() && done.length < plan.mostHarms) {
      await pause(random.between(...plan.harmEveryMs));
      const target = random.weighted(plan.targets as Record<Target, number>);
      const kind = random.weighted(plan.harms as Record<HarmKind, number>);
      const frozenMs = random.between(500, 3_000);
      if (isOver()) return;
      look();
      const victim = seen.get(target);
      if (!victim || !isAlive(victim)) continue;
      const { pid } = victim;
      const name = plan.split || !/api|workers/.test(target) ? target : 'product';
      const harm: Harm = { atMs: Date.now(), kind, target: name, apisAfterMs: null, backAfterMs: null };
      done.push(harm);
      if (kind === 'cut') {
        harm.target = 'postgres';
        await cutConnections(dev);
        continue;
      }
      if (kind === 'freeze') {
        process.kill(pid, 'SIGSTOP');
        await pause(frozenMs);
        if (isAlive(victim)) process.kill(pid, 'SIGCONT');
        if (target === 'sandbox') partiesAway.push({ fromMs: harm.atMs, untilMs: Date.now() });
        continue;
      }
      killed.add(victim.id);
      if (target === 'start') await killSupervisor();
      else process.kill(pid, 'SIGKILL');
      const back = apisReadySince(dev, allBack(system)).then(
        ({ sinceMs }) => {
          harm.apisAfterMs = sinceMs - harm.atMs;
          harm.backAfterMs = Date.now() - harm.atMs;
        },
        () => undefined, // whoever ends the harm is told
      );
      // Sometimes the next harm comes during the restart; if it always did, no work would be in flight.
      if (!random.chance(0.15)) await Promise.race([back, stopping]);
    }
  })();

  const forgetting = (async () => {
    const body = { olderThanSeconds: plan.keysKeptSeconds };
    while (!isOver()) {
      await pause(Math.min(1_000, plan.keysKeptSeconds * 1_000));
      await sandbox(dev, '/stripe/forget-keys', { method: 'POST', body }).catch(() => undefined);
    }
  })();

  return {
    done,
    faultsSet,
    partiesAway,
    endedByThemselves,
    set: async (fault) => {
      faultsSet.push(fault);
      await setFault(dev, fault).catch(() => undefined); // the sandbox may be away just now
    },
    stop: async () => {
      ending.abort();
      await harming;
      await allBack(system);
      isBack.abort();
      await Promise.all([watching, watchingParties, forgetting]);
      await sandbox(dev, '/faults', { method: 'DELETE' });
    },
  };
}

async function cutConnections(dev: DevJson): Promise<void> {
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await sql`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where usename like 'scriptrail_%' order by random() limit 5
    ) as some
  `.catch(() => undefined); // the database may be away just now
  await sql.end();
}

interface Running {
  pid: number;
  /** Pid and start time, because the kernel reuses pids. */
  id: string;
}

/** @returns null if there is no such process */
function idOf(pid: number): string | null {
  const found = identify(pid);
  return found === undefined ? null : `${pid} of ${found.startedAt}`;
}

const isAlive = ({ pid, id }: Running): boolean => idOf(pid) === id;

/** Polls the services' port; a frozen process still accepts connections. */
async function watchParties(dev: DevJson, partiesAway: Span[], watched: AbortSignal): Promise<void> {
  let thereMs = Date.now();
  let away: Span | undefined;
  while (!watched.aborted) {
    const askedMs = Date.now();
    if (await listens(new URL(dev.sandbox))) {
      if (away) away.untilMs = Date.now();
      away = undefined;
      thereMs = askedMs;
    } else if (!away) {
      away = { fromMs: thereMs, untilMs: Infinity };
      partiesAway.push(away);
    }
    await pause(watchEveryMs);
  }
}

const listens = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function allBack(system: SupervisedSystem): Promise<void> {
  await system.isUp();
  await ready(system.dev);
}

/** Polls the APIs until all are ready. @returns when each became ready */
async function apisReadySince(dev: DevJson, allBack: Promise<void>): Promise<{ sinceMs: number }> {
  let sinceMs: number | undefined;
  const over = new AbortController();
  const end = () => over.abort();
  allBack.then(end, end);
  while (!over.signal.aborted) {
    sinceMs = (await answer(readiness(dev))) ? (sinceMs ?? Date.now()) : undefined;
    await pause(askEveryMs);
  }
  await allBack;
  return { sinceMs: sinceMs ?? Date.now() };
}

/** Waits until every service and the sandbox are ready. @throws Error on timeout */
export async function ready(dev: DevJson): Promise<void> {
  const endsAt = Date.now() + backWithinMs;
  while (!(await answer([...readiness(dev), `${dev.sandbox}/_sandbox/faults`]))) {
    if (Date.now() > endsAt) throw new Error('The system did not come back');
    await pause(askEveryMs);
  }
}

const readiness = (dev: DevJson): string[] => Object.values(dev.services).map((url) => `${url}/ready`);

async function answer(urls: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(
    urls.map((url) =>
      fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
        async (response) => (await response.arrayBuffer(), response.status === 200),
        () => false,
      ),
    ),
  );
  return answers.every(Boolean);
}
