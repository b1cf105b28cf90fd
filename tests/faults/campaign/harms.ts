import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createSql } from '../../../db/client.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { sandbox } from '../../helpers/client.js';
import { setFault } from '../faults.js';
import type { Plan, PlannedFault, Target } from './plan.js';
import { seeded } from './random.js';

export interface Harm {
  atMs: number;
  /** Of a process; `cut` ends some connections to the database, whatever transaction they are in. */
  kind: 'kill' | 'freeze' | 'cut';
  target: Target | 'product';
  /** Until every service said that it was ready again. */
  backAfterMs: number | null;
}

export interface Harms {
  done: Harm[];
  faultsSet: PlannedFault[];
  /** Processes that ended though nobody killed them. */
  endedByThemselves: { name: string; atMs: number }[];
  set: (fault: PlannedFault) => Promise<void>;
  /** Ends the harm, and waits until everything is there again. */
  stop: () => Promise<void>;
}

const watchEveryMs = 50;
/** A system that is not back by then never comes back. */
const backWithinMs = 300_000;

/** Kills and freezes processes, and sets parties' faults, until it is stopped. */
export function startHarm(dev: DevJson, plan: Plan): Harms {
  // A sequence of its own: how long the stories take does not change which harm comes next.
  const random = seeded(plan.seed + 1, plan.slice);
  const done: Harm[] = [];
  const endedByThemselves: Harms['endedByThemselves'] = [];
  const faultsSet: PlannedFault[] = [];
  const killed = new Set<string>();
  const ending = new AbortController();
  const isOver = () => ending.signal.aborted;
  const stopping = once(ending.signal, 'abort');

  const seen = new Map<string, Running>();
  const look = () => {
    for (const [name, pid] of Object.entries(dev.pids)) {
      const before = seen.get(name);
      if (pid === undefined || before?.pid === pid) continue;
      if (before && !killed.has(before.id)) endedByThemselves.push({ name, atMs: Date.now() });
      seen.set(name, { pid, id: idOf(pid) ?? `${pid} had ended` });
    }
  };
  look();
  const watching = (async () => {
    while (!isOver()) {
      await pause(watchEveryMs);
      look();
    }
  })();

  const harming = (async () => {
    while (!isOver()) {
      await pause(random.between(...plan.harmEveryMs));
      const target = random.weighted(plan.targets as Record<Target, number>);
      const kind = random.weighted({ kill: 70, freeze: 18, cut: 12 });
      const frozenMs = random.between(500, 3_000);
      if (isOver()) return;
      look();
      const victim = seen.get(target);
      if (!victim || !isAlive(victim)) continue;
      const { pid } = victim;
      const name = plan.split || !/api|workers/.test(target) ? target : 'product';
      const harm: Harm = { atMs: Date.now(), kind, target: name, backAfterMs: null };
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
        continue;
      }
      killed.add(victim.id);
      process.kill(pid, 'SIGKILL');
      const isBack = ready(dev).then(
        () => (harm.backAfterMs = Date.now() - harm.atMs),
        () => undefined, // whoever ends the harm is told
      );
      // Now and then the next harm comes while it starts; if it always did, nothing would ever be under way.
      if (!random.chance(0.15)) await Promise.race([isBack, stopping]);
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
    endedByThemselves,
    set: async (fault) => {
      faultsSet.push(fault);
      await setFault(dev, fault).catch(() => undefined); // the sandbox may be away just now
    },
    stop: async () => {
      ending.abort();
      await harming;
      await ready(dev);
      await Promise.all([watching, forgetting]);
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
  /** Its number and start: the number alone is given to another process some time after its end. */
  id: string;
}

/** @returns null where there is no such process */
function idOf(pid: number): string | null {
  try {
    // The name, in brackets, may hold anything; the start is the twentieth word after it (proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} of ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

const isAlive = ({ pid, id }: Running): boolean => idOf(pid) === id;

/** Until every service and the sandbox answer that they are ready. @throws Error when they never do */
export async function ready(dev: DevJson): Promise<void> {
  const endsAt = Date.now() + backWithinMs;
  const urls = [
    ...Object.values(dev.services).map((url) => `${url}/ready`),
    `${dev.sandbox}/_sandbox/faults`,
  ];
  for (;;) {
    const answers = await Promise.all(
      urls.map((url) =>
        fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
          async (response) => (await response.arrayBuffer(), response.status === 200),
          () => false,
        ),
      ),
    );
    if (answers.every(Boolean)) return;
    if (Date.now() > endsAt) throw new Error('The system did not come back');
    await pause(100);
  }
}
