import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { serviceNames, servicePortOffsets, type ServiceName } from '../../platform/service-names.js';

/** The settings that a user may set for a development system: the variables of D1 and those of the children. */
export type Settings = Readonly<Record<string, string>>;

interface PortRule {
  variable: string;
  use: string;
  /** Default: TCP. */
  protocol?: 'udp';
  /** Counted from PORT_BASE. The Temporal server keeps its well-known ports (D1). */
  default: (base: number) => number;
}

const rules = {
  health: { variable: 'HEALTH_PORT', use: 'health and metrics', default: (base) => base + 90 },
  workersHealth: {
    variable: 'WORKERS_HEALTH_PORT',
    use: 'health and metrics of workers that are a process of their own',
    default: (base) => base + 91,
  },
  sandbox: { variable: 'SANDBOX_PORT', use: 'the sandbox', default: (base) => base + 100 },
  smtp: { variable: 'SANDBOX_SMTP_PORT', use: "the sandbox's mail server", default: (base) => base + 125 },
  tls: {
    variable: 'SANDBOX_TLS_PORT',
    use: "the sandbox's TLS server",
    default: (base) => base + 144,
  },
  dns: {
    variable: 'SANDBOX_DNS_PORT',
    use: "the sandbox's name server",
    protocol: 'udp',
    default: (base) => base + 153,
  },
  postgres: { variable: 'POSTGRES_PORT', use: 'Postgres', default: (base) => base + 432 },
  temporal: { variable: 'TEMPORAL_PORT', use: 'the Temporal server', default: () => 7233 },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', use: "Temporal's Web UI", default: () => 8233 },
  ...(Object.fromEntries(
    serviceNames.map((name) => [
      name,
      {
        variable: `${name.toUpperCase()}_PORT`,
        use: `the ${name} service`,
        default: (base: number) => base + servicePortOffsets[name],
      },
    ]),
  ) as Record<ServiceName, PortRule>),
} satisfies Record<string, PortRule>;

export type PortName = keyof typeof rules;
export type Ports = Readonly<Record<PortName, number>> & { readonly base: number };
const portNames = Object.keys(rules) as PortName[];

/**
 * The ports of a system (D1): each from its own variable, else from `PORT_BASE` (4000).
 * @throws Error if a variable holds no port number
 */
export function portsFrom(settings: Settings): Ports {
  const base = readPort(settings, 'PORT_BASE') ?? 4000;
  const portOf = ({ variable, default: standard }: PortRule) =>
    readPort(settings, variable) ?? standard(base);
  return { base, ...mapPorts((name) => portOf(rules[name])) };
}

function readPort(settings: Settings, variable: string): number | undefined {
  const text = settings[variable];
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${variable} is set to ${text}, which is not a port number.`);
}

/** Below the ephemeral range, so that no outgoing connection takes the port of a restarting service. */
const freeBlocks = { first: 10_000, width: 250, count: 84 };
/** Within this time, a starting system listens on its ports. */
const heldForMs = 600_000;

/**
 * Finds a block of free ports. It reserves the block for ten minutes through its first port, which no service uses,
 * so that concurrent starts get different blocks.
 */
export async function freePorts(host: string): Promise<Ports> {
  const { first, width, count } = freeBlocks;
  const start = randomInt(count);
  for (let block = 0; block < count; block++) {
    const base = first + ((start + block) % count) * width;
    const ports = portsFrom({
      PORT_BASE: String(base),
      POSTGRES_PORT: String(base + 232),
      TEMPORAL_PORT: String(base + 233),
      TEMPORAL_UI_PORT: String(base + 234),
    });
    const claim = await listen(base, host);
    if (claim === undefined) continue;
    claim.unref();
    if ((await portsInUse(ports, portNames, host)).length === 0) {
      setTimeout(() => claim.close(), heldForMs).unref();
      return ports;
    }
    claim.close();
  }
  throw new Error(`No block of free ports was found between ${first} and ${first + count * width}.`);
}

/**
 * Rejects a start whose ports are in use.
 * @throws Error that names each port, its use, and the variable that changes it
 */
export async function requireFreePorts(
  ports: Ports,
  needed: readonly PortName[],
  host: string,
): Promise<void> {
  const taken = await portsInUse(ports, needed, host);
  if (taken.length === 0) return;
  const list = taken
    .map((name) => `port ${ports[name]} for ${rules[name].use} (${rules[name].variable})`)
    .join(', ');
  throw new Error(
    `Already in use by another program: ${list}; end that program, or set the variable named (PORT_BASE moves the services together) to another port.`,
  );
}

/** The ports that a start needs; servers that run already need none. */
export const neededPorts = (external: { temporal: boolean; postgres: boolean }): PortName[] =>
  portNames.filter(
    (name) =>
      !(external.postgres && name === 'postgres') &&
      !(external.temporal && ['temporal', 'temporalUi'].includes(name)),
  );

async function portsInUse(ports: Ports, names: readonly PortName[], host: string): Promise<PortName[]> {
  const free = await Promise.all(
    names.map((name) => {
      const { protocol }: PortRule = rules[name];
      return protocol === 'udp' ? isFreeForDatagrams(ports[name], host) : isFree(ports[name], host);
    }),
  );
  return names.filter((_, index) => !free[index]);
}

async function isFree(port: number, host: string): Promise<boolean> {
  const probe = await listen(port, host);
  if (probe === undefined) return false;
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

const isFreeForDatagrams = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
  });

const listen = (port: number, host: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });

const mapPorts = (value: (name: PortName) => number): Record<PortName, number> =>
  Object.fromEntries(portNames.map((name) => [name, value(name)])) as Record<PortName, number>;
