import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { createSecrets, splitSecrets } from '../../cli/secrets.js';
import { type ComposeService, readCompose, readSettings } from '../../deploy/manifests/compose.js';
import { manifests } from '../../deploy/manifests/manifests.js';
import { developmentRooms, productRooms } from '../../dev/compile.js';
import { portsFrom } from '../../dev/start/ports.js';
import { ConfigError, loadConfig } from '../../platform/config.js';
import { type Hosted, serviceNames } from '../../platform/service-names.js';
import { servicesOf } from '../../workers/host.js';
import { type TaskQueue, taskQueues } from '../../workflows/queues.js';
import { emptyFolder } from '../dev/helpers.js';

const compose = readCompose();
const services = Object.entries(compose.services);
const of = (name: string) => compose.services[name]!;
const containerOf = (queue: TaskQueue) => `${taskQueues[queue]}-worker`;
const queues = Object.keys(taskQueues) as TaskQueue[];

/** The containers that host a part of the product, with the service whose settings it needs. */
const hosts: [string, Hosted][] = [
  ...serviceNames.map((name): [string, Hosted] => [name, name]),
  ...queues.map((queue): [string, Hosted] => [containerOf(queue), servicesOf([queue])[0]!]),
];

/** DRAIN_SECONDS, answers under way, the workers' activities, connections: docs/production.md, "Restarts". */
const stopSeconds = 5 + 20 + 10 + 5;

let secrets: string;
beforeAll(async () => {
  secrets = await emptyFolder();
  createSecrets(secrets, { database: 'postgres:5432/scriptrail', sandbox: true });
});
const secret = (name: string) => readFileSync(`${secrets}/${name}`, 'utf8').trim();

/** The environment of a container, secrets as if read from their files. */
function environmentOf({ environment, secrets: mounted }: ComposeService, settings: string) {
  const files = mounted.map(({ source }) => source).filter((name) => /^[A-Z]/.test(name));
  const values = files.map((name) => [name, secret(name)] as const).filter(([, value]) => value !== '');
  return { ...readSettings(settings), ...environment, ...Object.fromEntries(values) } as Record<
    string,
    string
  >;
}

test('No pod takes the addresses of Services, which are named like our settings', () => {
  for (const { kind, spec } of pods)
    if (kind === 'Deployment') expect(spec.template.spec.enableServiceLinks).toBe(false);
});

interface Deployment {
  kind: string;
  metadata: { name: string };
  spec: {
    template: { spec: { enableServiceLinks: boolean; volumes: { secret?: { items: { key: string }[] } }[] } };
  };
}
/** Made once, since it takes a second. */
const pods = (() => {
  const made = manifests();
  const pages = ['apis', 'workers'].flatMap((page) => parseAllDocuments(made[`${page}.yaml`] ?? ''));
  return pages.map((page) => page.toJS() as Deployment);
})();
/** The secrets that the pod of a container of the compose file mounts. */
function secretsOfPod(name: string): string[] {
  const found = pods.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  const volumes = found?.spec.template.spec.volumes ?? [];
  return volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []).sort();
}

describe('docker-compose.yml', () => {
  test('has a container for each API and each worker queue, told what to host', () => {
    for (const name of serviceNames)
      expect(of(name).command).toEqual(['dist/main.js', '--api', name, '--workers', 'none']);
    for (const queue of queues)
      expect(of(containerOf(queue)).command).toEqual(['dist/main.js', '--api', 'none', '--workers', queue]);
  });

  test.each(hosts)('gives %s what its service needs, and no secret beyond', (name, service) => {
    const env = environmentOf(of(name), 'deploy/sandbox.env');
    expect(() => loadConfig(env, [service])).not.toThrow();
    const optional = [
      'client.key',
      'SMTP_PASSWORD',
      'CHAT_WEBHOOK_URL',
      'CRM_WEBHOOK_URL',
      'CODEC_PATH_TOKEN',
      'STRIPE_WEBHOOK_SECRET',
    ];
    for (const { source } of of(name).secrets.filter(({ source }) => /^[A-Z]/.test(source))) {
      if (optional.includes(source)) continue;
      const { [source]: _without, ...rest } = env;
      expect(() => loadConfig(rest, [service])).toThrow(ConfigError);
    }
  });

  test('grants each process the secrets that it has under systemd and in Kubernetes', async () => {
    const split = await emptyFolder();
    splitSecrets(secrets, split);
    // A split that is repeated takes back what is no longer there.
    writeFileSync(`${split}/router/ADMIN_JWT_SECRET`, 'withdrawn');
    splitSecrets(secrets, split);
    for (const [name, service] of hosts) {
      const granted = of(name).secrets.map(({ source }) => source);
      const files = granted.filter((source) => source !== 'client.key').sort();
      expect([name, readdirSync(`${split}/${service}`).sort()]).toEqual([name, files]);
      expect(secretsOfPod(name)).toEqual([...granted].sort());
    }
    for (const unit of ['scriptrail@', 'scriptrail-api@', 'scriptrail-workers@']) {
      const lines = readFileSync(`deploy/systemd/${unit}.service`, 'utf8');
      expect(lines).toMatch(/^User=scriptrail-%i$/m);
      expect(lines).toMatch(/^Environment=SECRETS_DIR=\/etc\/scriptrail\/secrets\/%i$/m);
    }
    // docs/production.md makes a user and a folder for each unit that it starts.
    const page = readFileSync('docs/production.md', 'utf8');
    const started = [...page.matchAll(/scriptrail(?:-api|-workers)?@\{([\w,]+)\}/g)];
    const units = [...new Set(started.flatMap(([, names = '']) => names.split(',')))].sort();
    expect(/^for unit in (.*); do$/m.exec(page)?.[1]?.split(' ').sort()).toEqual(units);
    for (const unit of units) expect(readdirSync(split)).toContain(unit);
  });

  test('has a policy in Kubernetes that opens each API to our pods and the gateway, and nothing else', () => {
    const policies = parseAllDocuments(manifests()['network.yaml'] ?? '').map(
      (page) => page.toJS() as { metadata: { name: string }; spec: object },
    );
    const opens = (podSelector: object, from: object[], port: number) => ({
      podSelector,
      policyTypes: ['Ingress'],
      ingress: [{ from, ports: [{ protocol: 'TCP', port }] }],
    });
    const inNamespace = (name: string) => ({ namespaceSelector: { matchLabels: { [name]: 'true' } } });
    const ours = { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'scriptrail' } } };
    const portOf = (name: string) => Number(of(name).ports[0]?.split(':').at(-1));
    const apis = services.filter(([name]) => (serviceNames as string[]).includes(name));
    const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });
    expect(Object.fromEntries(policies.map(({ metadata: { name }, spec }) => [name, spec]))).toEqual({
      'default-deny': {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
        egress: [
          {
            to: [
              { namespaceSelector: {} },
              block('0.0.0.0/0', '169.254.169.254/32', '169.254.170.0/24'),
              block('::/0', 'fd00:ec2::/32', 'fd20:ce::254/128'),
            ],
          },
        ],
      },
      health: opens({}, [inNamespace('scriptrail.health/monitoring')], 4090),
      ...Object.fromEntries(
        apis.map(([name]) => [
          name,
          opens(
            { matchLabels: { 'app.kubernetes.io/name': name } },
            [ours, inNamespace('scriptrail.health/gateway')],
            portOf(name),
          ),
        ]),
      ),
    });
  });

  test.each(hosts)('takes the settings of a production for %s too', (name, service) => {
    // The files of certificates are where the container has them.
    const { CODEC_PATH_TOKEN: _none, ...all } = environmentOf(of(name), 'deploy/production.env');
    const env = Object.fromEntries(
      Object.entries(all).filter(([key]) => !/^TEMPORAL_TLS_.*_PATH$/.test(key)),
    );
    for (const key of ['STRIPE_SECRET_KEY']) env[key] = `sk_live_${'a1'.repeat(20)}`;
    expect(() => loadConfig(env, [service])).not.toThrow();
  });

  test('lets a container of ours write nothing, have no rights, take its share, come back, and stop in its time', () => {
    const ours = services.filter(([, { image }]) => image.startsWith('scriptrail'));
    expect(ours.length).toBeGreaterThan(20);
    for (const [name, service] of ours) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          tmpfs: ['/tmp'],
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          user: '1000:1000',
          mem_limit: expect.stringMatching(/^\d+m$/),
          cpus: expect.any(Number),
          restart: expect.stringMatching(/^(unless-stopped|on-failure:3)$/),
        }),
      ]);
    }
    for (const [name] of hosts) {
      expect(Number.parseInt(of(name).stop_grace_period ?? '')).toBeGreaterThanOrEqual(stopSeconds);
      expect(of(name).healthcheck?.test).toEqual(['CMD', 'node', 'dist/cli/health-check.js']);
    }
  });

  test('gives a process as long to stop as systemd and Kubernetes do', () => {
    const [systemdSeconds, ...others] = ['scriptrail@', 'scriptrail-api@', 'scriptrail-workers@'].map(
      (name) => {
        const unit = readFileSync(`deploy/systemd/${name}.service`, 'utf8');
        return Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
      },
    );
    expect(systemdSeconds).toBeGreaterThanOrEqual(stopSeconds);
    expect(others).toEqual([systemdSeconds, systemdSeconds]);
    for (const page of ['apis', 'workers']) {
      const stated = (manifests()[`${page}.yaml`] ?? '').matchAll(/terminationGracePeriodSeconds: (\d+)/g);
      expect([...new Set([...stated].map(([, seconds]) => Number(seconds)))]).toEqual([systemdSeconds]);
    }
    for (const [name] of hosts) expect(of(name).stop_grace_period).toBe(`${systemdSeconds}s`);
  });

  test('pins every image to a version, which the environment may pin to a digest', () => {
    for (const [name, { image }] of services)
      expect([name, image]).toEqual([
        name,
        expect.stringMatching(
          /:-[^:}]*:?\d+\.\d+[\d.]*(@sha256:[0-9a-f]{64})?\}$|:\$\{SCRIPTRAIL_VERSION:-\d/,
        ),
      ]);
    const version = (name: string) => /:([\d.]+)(?:@|\}$)/.exec(of(name).image)?.[1];
    expect(version('temporal')).toBe(version('temporal-schema'));
  });

  test("keeps rows out of Postgres' log, and lets nobody in without TLS", () => {
    expect(of('postgres').command).toEqual(expect.arrayContaining(['log_error_verbosity=terse', 'ssl=on']));
    const rules = readFileSync('deploy/pg_hba.conf', 'utf8')
      .split('\n')
      .filter((line) => /^\w/.test(line));
    expect(rules.filter((line) => line.startsWith('host')).every((line) => line.startsWith('hostssl'))).toBe(
      true,
    );
    expect(rules.filter((line) => line.includes('trust'))).toEqual([]);
    for (const role of ['DATABASE_URL', 'ROUTER_DATABASE_URL', 'ACCESS_DATABASE_URL'])
      expect(secret(role)).toMatch(/@postgres:5432\/scriptrail\?sslmode=verify-full$/);
  });

  test('publishes ports on loopback only, where the defaults look', () => {
    const published = services.flatMap(([, { ports }]) => ports);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const { base: _base, ...ports } = portsFrom({});
    for (const name of serviceNames)
      expect(of(name).ports).toEqual([`127.0.0.1:${ports[name]}:${ports[name]}`]);
    expect(of('temporal').ports).toEqual([`127.0.0.1:${ports.temporal}:7233`]);
    expect(of('temporal-ui').ports).toEqual([`127.0.0.1:${ports.temporalUi}:8080`]);
    expect(of('postgres').ports).toEqual([`127.0.0.1:${ports.postgres}:5432`]);
  });

  test('starts each part after what it stands on', () => {
    for (const [, { depends_on: needs }] of services) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        const hasHealth = of(needed).healthcheck !== undefined;
        expect([needed, condition]).toEqual([
          needed,
          hasHealth ? 'service_healthy' : 'service_completed_successfully',
        ]);
      }
    }
  });

  test('holds no secret: each is a file that `rx secrets create` or deploy/certificates.sh makes', () => {
    const made = [...readdirSync(secrets)];
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      if (name.endsWith('.key')) expect(file).toBe(`./certs/${name}`);
      else expect([file, made]).toEqual([`./secrets/${name}`, expect.arrayContaining([name])]);
    }
    const mounted = services.flatMap(([, { secrets: used }]) => used.map(({ source }) => source));
    expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(mounted)].sort());
    const given = services.flatMap(([, { environment }]) => Object.entries(environment));
    for (const [name, value] of given.filter(([name]) => /(SECRET|PASSWORD|PWD|TOKEN|_KEYS)$/.test(name)))
      expect([name, value]).toEqual(['TEMPORAL_CODEC_PASS_ACCESS_TOKEN', 'false']);
  });

  test('the dynamic configuration is what a development server is told too', () => {
    const settings = parse(readFileSync('deploy/dynamic-config.yaml', 'utf8')) as Record<
      string,
      [{ value: unknown }]
    >;
    const told = Object.entries(settings).map(([name, [{ value }]]) => `'${name}=${String(value)}'`);
    const development = readFileSync('dev/start/temporal.ts', 'utf8');
    for (const setting of told) expect(development).toContain(setting);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const product = stages.at(-1)!;

  test('is built on an exact version, runs as nobody, and says whether it is well', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=\S+:\d+\.\d+\.\d+-\S+$/m);
    expect(product).toMatch(/^\$\{NODE_IMAGE\} AS product$/m);
    expect(product).toMatch(/^USER node$/m);
    expect(product).toMatch(/^HEALTHCHECK .*CMD \["node", "dist\/cli\/health-check\.js"\]$/m);
    expect(product).not.toMatch(/^(RUN|ADD) /m);
  });

  test('holds the packages of production and the build, and nothing else', () => {
    expect(product.match(/^COPY .*$/gm)).toEqual([
      'COPY --from=dependencies /app ./',
      'COPY --from=development /app/dist dist',
    ]);
    expect(stages.at(-2)).toMatch(/^RUN npm ci --omit=dev /m);
  });

  test('is given every room that the build and the sandbox need, and no other folder', () => {
    const let_in = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
    expect(let_in.map((line) => line.slice(1)).sort()).toEqual(
      [...files, ...productRooms, ...developmentRooms].sort(),
    );
  });
});

test('Every setting of the pods is text as Kubernetes reads it, off and on too', () => {
  const [settings] = parseAllDocuments(manifests()['settings.yaml'] ?? '', { version: '1.1' })
    .map((document) => document.toJS() as { kind: string; data: Record<string, unknown> })
    .filter(({ kind }) => kind === 'ConfigMap');
  expect(settings?.data).toMatchObject({ SERVICES_TLS: 'off' });
  for (const [name, value] of Object.entries(settings?.data ?? {}))
    expect([name, typeof value]).toEqual([name, 'string']);
});
