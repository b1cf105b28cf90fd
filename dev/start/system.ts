import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compiledSources } from '../compile.js';
import { type DevJson, writeDevJson } from '../dev-json.js';
import { ConfigError } from '../../platform/config.js';
import { developmentFaults } from '../../platform/config-rules.js';
import { takeLock } from '../lock.js';
import { type Progress, showProgress, silent } from '../progress.js';
import { resolveTemporalCli } from '../tools/temporal-cli.js';
import { addressesOf, inheritedEnvironment, type Plan, productEnvironment } from './environment.js';
import { describe, pidsOf } from './describe.js';
import { stopLeftovers } from './leftovers.js';
import { productSpecs, sandboxSpec } from './node-children.js';
import { freePorts, neededPorts, portsFrom, requireFreePorts, type Settings } from './ports.js';
import { preparePostgres } from './postgres.js';
import { awaitReadiness } from './readiness.js';
import { loadSecrets } from './secrets.js';
import { type ChildSpec, createSupervisor, type Supervisor } from './supervisor.js';
import { temporalSpec } from './temporal.js';

export interface StartOptions {
  /** The folder of all state: databases, ledgers, secrets, logs, `dev.json`. */
  stateDir: string;
  /** `PORT_BASE`; 0 takes free ports, also for Temporal. */
  portBase?: number;
  /** Runs APIs and workers in two processes. */
  split?: boolean;
  quiet?: boolean;
  /** Variables of D1 and overrides for the children's environment. */
  env?: Record<string, string>;
  /** A folder of other compiled sources to run. A control of the fault tests removes a guard from a copy. */
  sources?: string;
  /** Aborts the start; the system stops its children before the promise rejects. */
  signal?: AbortSignal;
}

export interface RunningSystem {
  /** Its pids change as children restart. */
  dev: DevJson;
  /** The environment of the product's processes. */
  environment: Record<string, string>;
  /** Stops in reverse order, the product first. @param withinMs timeout for each process */
  stop: (withinMs?: number) => Promise<void>;
}

/**
 * Starts a complete development system and waits until every service is ready. If the start fails, it stops
 * everything.
 * @throws Error with one sentence: a port in use, a missing tool, a child that does not start
 */
export async function startSystem(options: StartOptions): Promise<RunningSystem> {
  const stateDir = resolve(options.stateDir);
  const progress = options.quiet ? silent : showProgress(process.stderr);
  const signal = options.signal ?? new AbortController().signal;
  mkdirSync(stateDir, { recursive: true });
  const lock = takeLock(join(stateDir, 'start.lock'));
  if (!lock.taken)
    throw new Error(
      `A system is already running from ${stateDir} (process ${lock.holder.pid}): stop it first.`,
    );

  let dev: DevJson | undefined;
  const supervisor = createSupervisor({
    stateDir,
    report: progress.say,
    onRestart: () => {
      if (dev === undefined) return;
      dev.pids = pidsOf(supervisor);
      writeDevJson(stateDir, dev);
    },
  });
  const stop = async (withinMs?: number) => {
    await supervisor.stop(withinMs);
    lock.release();
  };
  try {
    const loading = load(options.sources);
    await stopLeftovers(stateDir, progress.say);
    const plan = await makePlan(stateDir, options);
    const { split = false } = options;
    const work = bringUp(plan, { stateDir, split, loading, supervisor, progress, signal });
    dev = await Promise.race([work, interruption(signal)]);
    writeDevJson(stateDir, dev);
    return { dev, environment: { ...inheritedEnvironment(), ...productEnvironment(plan) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Rejects when the caller aborts the start, even in a step that takes minutes such as a build. */
async function interruption(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('The start was interrupted.');
}

async function makePlan(stateDir: string, options: StartOptions): Promise<Plan> {
  const settings: Settings = {
    ...options.env,
    ...(options.portBase ? { PORT_BASE: String(options.portBase) } : {}),
  };
  const faults = developmentFaults(settings);
  if (faults.length > 0) throw new ConfigError(faults);
  const host = settings['HOST'] ?? '127.0.0.1';
  const ports = options.portBase === 0 ? await freePorts(host) : portsFrom(settings);
  await requireFreePorts(ports, neededPorts(externalServers(settings)), host);
  const sandboxDataDir = resolve(stateDir, 'sandbox');
  return { host, ports, settings, secrets: loadSecrets(stateDir), sandboxDataDir };
}

const externalServers = (settings: Settings) => ({
  temporal: settings['TEMPORAL_ADDRESS'] !== undefined,
  postgres: settings['DATABASE_URL'] !== undefined,
});

/** Slow work without dependencies, which starts while leftovers stop. */
const load = (sources: string | undefined) => ({
  sources: sources ?? compiledSources(),
  setup: import('../../platform/temporal/setup.js'),
  migrations: import('../../db/migrate.js'),
  seeds: import('../seed/seed.js'),
});

interface Bringing {
  stateDir: string;
  split: boolean;
  loading: ReturnType<typeof load>;
  supervisor: Supervisor;
  progress: Progress;
  signal: AbortSignal;
}

/** The order of a start: servers and sandbox concurrently, then the product and its seeds. */
async function bringUp(
  plan: Plan,
  { stateDir, split, loading, supervisor, progress, signal }: Bringing,
): Promise<DevJson> {
  const addresses = addressesOf(plan);
  const { databaseUrl, serviceDatabaseUrls } = addresses;
  const external = externalServers(plan.settings);
  const environment = { ...inheritedEnvironment(), ...productEnvironment(plan) };
  const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    return progress.during(what, work);
  };

  const compiling = step('Compiling the sources', async () => loading.sources);
  const temporal = async () => {
    if (!external.temporal) {
      // A separate step, because it may take minutes and reports its own progress.
      const cli = await resolveTemporalCli(progress);
      await step('Starting Temporal', () => supervisor.start(temporalOf(plan, stateDir, cli)));
    }
    const { setupTemporal } = await loading.setup;
    await step('Setting up Temporal', () => setupTemporal(environment));
  };
  const database = async () => {
    if (!external.postgres)
      await step('Starting Postgres', async () => supervisor.start(await postgresOf(plan, stateDir)));
    const { migrate } = await loading.migrations;
    await step('Migrating the database', () => migrate({ databaseUrl, serviceDatabaseUrls }));
  };
  const outside = async () => {
    const sources = await compiling;
    await step('Starting the sandbox', () => supervisor.start(sandboxSpec(plan, sources)));
  };
  const servers = Promise.all([temporal(), database()]);
  const sandbox = outside();
  const seeding = async () => {
    await Promise.all([servers, sandbox]);
    const { seedDevelopment } = await loading.seeds;
    return step('Seeding development data', () => seedDevelopment({ databaseUrl, env: environment }));
  };
  const product = async () => {
    const [sources] = await Promise.all([compiling, servers]);
    await step('Starting the product', () =>
      Promise.all(
        productSpecs(split, environment, plan.ports, sources).map((spec) => supervisor.start(spec)),
      ),
    );
  };
  const [seeded] = await Promise.all([seeding(), product()]);
  await step('Waiting for every service', () => awaitReadiness(addresses.services, signal));
  return describe(plan, seeded, { split, pids: pidsOf(supervisor) });
}

const temporalOf = (plan: Plan, stateDir: string, cli: string): ChildSpec =>
  temporalSpec({
    cli,
    host: plan.host,
    port: plan.ports.temporal,
    uiPort: plan.ports.temporalUi,
    databaseFile: join(stateDir, 'temporal', 'temporal.db'),
    codecEndpoint: addressesOf(plan).codecEndpoint,
  });

const postgresOf = (plan: Plan, stateDir: string): Promise<ChildSpec> =>
  preparePostgres({
    dataDir: join(stateDir, 'postgres'),
    host: plan.host,
    port: plan.ports.postgres,
    password: plan.secrets.postgresPassword,
  });
