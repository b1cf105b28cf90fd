import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSecrets } from '../../cli/secrets.js';
import { createSql } from '../../db/client.js';
import { type Hosted, serviceNames } from '../../platform/service-names.js';
import { projectRoot } from '../../dev/project-root.js';
import { inheritedEnvironment } from '../../dev/start/environment.js';
import type { Ports } from '../../dev/start/ports.js';
import { preparePostgres } from '../../dev/start/postgres.js';
import type { ChildSpec } from '../../dev/start/supervisor.js';
import { healthTestOf, portOf, readCompose, readSettings, serviceOf } from './compose.js';

/**
 * Runs the containers of docker-compose.yml as processes of this machine, with the file's commands and environment.
 * Names, ports and paths become loopback and folders.
 * Container features (a read-only file system, limits, a user) do not apply.
 */
export interface Machine {
  /** The process of a service container or a job. */
  spec: (name: string) => ChildSpec;
  /** One process for a service with all its queues, with the environment of the file's containers. */
  service: (name: Hosted) => ChildSpec;
  /** Runs a job of the file. @throws Error with its output */
  job: (name: string) => Promise<string>;
  /** Runs the file's health check of a container. @returns the error if it fails */
  health: (name: string) => Promise<string | undefined>;
  postgres: () => Promise<ChildSpec>;
  secret: (name: string) => string;
  certificates: string;
}

const inContainers = {
  certificates: '/etc/scriptrail',
  secrets: '/run/secrets',
  sandbox: '/var/lib/sandbox',
};

/**
 * @param folder for all state
 * @param sources of `compiledSources`, instead of the image's `dist`
 * @param temporalAddress replaces `temporal:7233`
 */
export async function openMachine({
  folder,
  ports,
  sources,
  temporalAddress,
  more = {},
}: {
  folder: string;
  ports: Ports;
  sources: string;
  temporalAddress: string;
  /** Additional settings. */
  more?: Record<string, string>;
}): Promise<Machine> {
  const compose = readCompose();
  const of = (name: string) => serviceOf(compose, name);
  const certificates = join(folder, 'certs');
  const secretsFolder = join(folder, 'secrets');
  const made = ['postgres=postgres,localhost', 'temporal=temporal', 'client=scriptrail'];
  await run(
    'sh',
    [join(projectRoot, 'deploy/certificates.sh'), certificates, ...made],
    inheritedEnvironment(),
  );
  createSecrets(secretsFolder, { database: `localhost:${ports.postgres}/scriptrail`, sandbox: true });

  const addresses: [string, string][] = [
    ...serviceNames.map((name): [string, string] => [
      `${name}:${portOf(of(name))}`,
      `127.0.0.1:${ports[name]}`,
    ]),
    ['sandbox:4100', `127.0.0.1:${ports.sandbox}`],
    ['temporal:7233', temporalAddress],
  ];
  const here = (text: string, name: string): string =>
    [
      ...addresses,
      ['/etc/scriptrail/dynamic-config.yaml', join(projectRoot, 'deploy/dynamic-config.yaml')] as const,
      [inContainers.certificates, certificates] as const,
      [inContainers.secrets, mounted(name)] as const,
      [inContainers.sandbox, join(folder, 'sandbox')] as const,
    ].reduce((value, [there, replacement]) => value.replaceAll(there, replacement), text);

  /** Copies only the secrets that the file gives to the container. */
  function mounted(name: string): string {
    const own = join(folder, 'mounted', name);
    if (existsSync(own)) return own;
    mkdirSync(own, { recursive: true });
    for (const { source, target } of of(name).secrets) {
      const from = source.endsWith('.key') ? certificates : secretsFolder;
      copyFileSync(join(from, source), join(own, target));
    }
    return own;
  }

  function environment(name: string): Record<string, string> {
    // Each container has its own health port; here they would collide.
    const { HEALTH_PORT: _one, ...given } = of(name).environment;
    const { env_file: files } = of(name);
    const settings = files.length > 0 ? readSettings(join(projectRoot, 'deploy/sandbox.env')) : {};
    const all = Object.entries({ ...settings, ...given }).map(([key, value]) => [key, here(value, name)]);
    return {
      ...inheritedEnvironment(),
      ...(Object.fromEntries(all) as Record<string, string>),
      HOST: '127.0.0.1',
      PORT_BASE: String(ports.base),
      ...(settings['SMTP_HOST'] === undefined
        ? {}
        : { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(ports.smtp) }),
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_SMTP_PORT: String(ports.smtp),
      SANDBOX_TLS_PORT: String(ports.tls),
      SANDBOX_DNS_PORT: String(ports.dns),
      ...more,
    };
  }

  /** Uses this Node and the compiled sources, and the rest unchanged. */
  function commandLine(name: string): [string, ...string[]] {
    const { entrypoint = [process.execPath], command = [] } = of(name);
    return [...entrypoint, ...command].map((word) => inSources(here(word, name).replaceAll('$$', '$'))) as [
      string,
      ...string[],
    ];
  }
  const inSources = (word: string): string =>
    word.startsWith('dist/') ? join(sources, word.slice('dist/'.length)) : word;

  return {
    certificates,
    secret: (name) => readFileSync(join(secretsFolder, name), 'utf8').trim(),
    spec: (name) => {
      const [command, ...args] = commandLine(name);
      const grace = of(name).stop_grace_period ?? '10s';
      return {
        name,
        command,
        args,
        env: environment(name),
        ready: of(name).entrypoint ? () => isWell(name) : 'message',
        stopSignal: 'SIGTERM',
        stopWithinMs: Number.parseInt(grace) * 1_000,
      };
    },
    service: (name) => ({
      name,
      command: process.execPath,
      args: [join(sources, 'main.js'), '--service', name],
      env: environment(name in compose.services ? name : `${name}-worker`),
      ready: 'message',
      stopSignal: 'SIGTERM',
      stopWithinMs: 45_000,
    }),
    job: async (name) => {
      const [command, ...args] = commandLine(name);
      return run(command, args, environment(name));
    },
    health,
    postgres: async () => {
      const dataDir = join(folder, 'postgres');
      const password = readFileSync(join(secretsFolder, 'POSTGRES_PASSWORD'), 'utf8').trim();
      const spec = await preparePostgres({ dataDir, host: '127.0.0.1', port: ports.postgres, password });
      const { uid, gid } = statSync(dataDir);
      for (const file of ['postgres.pem', 'postgres.key']) {
        copyFileSync(join(certificates, file), join(dataDir, file));
        chownSync(join(dataDir, file), uid, gid);
        chmodSync(join(dataDir, file), 0o600);
      }
      const told = (of('postgres').command ?? [])
        .slice(1)
        .map((word) =>
          word
            .replace('/run/postgresql/postgres.pem', join(dataDir, 'postgres.pem'))
            .replace('/run/postgresql/postgres.key', join(dataDir, 'postgres.key'))
            .replace('/etc/scriptrail/pg_hba.conf', join(projectRoot, 'deploy/pg_hba.conf')),
        );
      const url = `postgres://scriptrail:${password}@localhost:${ports.postgres}/postgres?sslmode=require`;
      return { ...spec, args: [...spec.args, ...told], ready: () => hasDatabase(url) };
    },
  };

  async function health(name: string): Promise<string | undefined> {
    const [command = '', ...args] = healthTestOf(of(name)).map((word) =>
      inSources(word.replaceAll('4100', String(ports.sandbox))),
    );
    return run(command, args, environment(name)).then(
      () => undefined,
      (error: unknown) => String(error),
    );
  }
  async function isWell(name: string): Promise<boolean> {
    return (await health(name)) === undefined;
  }
}

/** Creates the database, as the image does. */
async function hasDatabase(url: string): Promise<boolean> {
  const sql = createSql(url, { applicationName: 'set-up', max: 1 });
  try {
    const found = await sql`select from pg_database where datname = 'scriptrail'`;
    if (found.length === 0) await sql.unsafe('create database scriptrail');
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}

/** Asynchronous, because this process may run the balancer before Temporal. */
async function run(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: projectRoot, env });
  return stdout;
}
