import { z } from 'zod';
import type { Key } from './crypto/key-ring.js';
import type { CodecKeys } from './temporal/codec.js';
import { developmentFaults, incompleteFaults, productionFaults } from './config-rules.js';
import { baseShape, serviceShapes } from './config-shapes.js';
import { port } from './config-values.js';
import { type Hosted, type ServiceName, serviceNames, servicePortOffsets } from './service-names.js';

/** The name of every setting. */
export const variableNames: readonly string[] = [
  ...new Set([
    ...Object.keys(baseShape),
    ...serviceNames.map((name) => `${name.toUpperCase()}_PORT`),
    ...Object.values(serviceShapes).flatMap((shape) => Object.keys(shape)),
  ]),
];

const baseSchema = z.object(baseShape);
const serviceSchemas = Object.fromEntries(
  Object.entries(serviceShapes).map(([name, shape]) => [name, z.object(shape)]),
) as unknown as { [S in Hosted]: z.ZodObject<(typeof serviceShapes)[S]> };

type BaseConfig = z.infer<typeof baseSchema>;
export type ServiceConfig<S extends Hosted> = BaseConfig & z.infer<(typeof serviceSchemas)[S]>;
export interface Config extends BaseConfig {
  ports: Record<ServiceName, number>;
  /** The settings of a hosted service. @throws Error if this process does not host it */
  service: <S extends Hosted>(name: S) => ServiceConfig<S>;
  /** With the service's own role; the codec server's may only add access events. */
  databaseUrl: (name: Hosted) => string;
  /** The rings of a hosted service; the codec server has those of all services. */
  codecKeys: (name: Hosted) => CodecKeys;
}

/** Lists every fault of the environment, so that one start shows all of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Reads the settings of this process.
 * @param hosted the services whose API or worker runs in this process
 * @throws ConfigError
 */
export function loadConfig(env: NodeJS.ProcessEnv, hosted: readonly Hosted[]): Config {
  const faults: string[] = [];
  const read = <T>(schema: z.ZodType<T>): T | undefined => {
    const result = schema.safeParse(env);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const name = issue.path.join('.');
      faults.push(`${name}: ${env[name] === undefined ? 'is missing' : issue.message}`);
    }
    return undefined;
  };

  const base = read(baseSchema);
  const services = new Map(hosted.map((name) => [name, read(serviceSchemas[name] as z.ZodType)] as const));
  const ports = {} as Record<ServiceName, number>;
  for (const name of serviceNames) {
    const variable = `${name.toUpperCase()}_PORT`;
    const parsed = port.safeParse(env[variable] ?? (base?.PORT_BASE ?? 4000) + servicePortOffsets[name]);
    if (parsed.success) ports[name] = parsed.data;
    else faults.push(`${variable}: must be a port number`);
  }
  const given = ourVariables(env);
  faults.push(
    ...incompleteFaults(given, hosted),
    ...(given['NODE_ENV'] === 'production'
      ? productionFaults(given, limits, hosted)
      : developmentFaults(given)),
  );
  if (!base || faults.length > 0) throw new ConfigError([...new Set(faults)]);

  const settingsOf = <S extends Hosted>(name: S): ServiceConfig<S> => {
    const own = services.get(name);
    if (!own) throw new Error(`${name} is not hosted by this process`);
    return { ...base, ...own } as ServiceConfig<S>;
  };
  return {
    ...base,
    ports,
    service: settingsOf,
    databaseUrl: (name) => {
      const role = name === 'codec' ? 'access' : name;
      const variable = `${role.toUpperCase() as Uppercase<typeof role>}_DATABASE_URL` as const;
      return (settingsOf(name) as unknown as Record<typeof variable, string>)[variable];
    },
    codecKeys: (name) => {
      const settings = settingsOf(name) as unknown as Record<`${string}_CODEC_KEYS`, Key[] | undefined>;
      const of = (owner: string): Key[] => settings[`${owner.toUpperCase()}_CODEC_KEYS`] ?? [];
      const own = name === 'codec' ? serviceNames.flatMap(of) : of(name === 'retention' ? 'patients' : name);
      return { own, events: of('EVENTS') };
    },
  };
}

/** The variables that are settings of ours or of Temporal. */
const ourVariables = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (variableNames.includes(entry[0]) ||
          entry[0].startsWith('TEMPORAL_') ||
          entry[0] === 'SANDBOX_PORT' ||
          entry[0] === 'NODE_TLS_REJECT_UNAUTHORIZED'),
    ),
  );

const limits: Readonly<Record<string, number>> = Object.fromEntries(
  [baseShape, ...Object.values(serviceShapes)]
    .flatMap((shape) => Object.entries<z.ZodType>(shape))
    .filter(([name]) => name.startsWith('RATE_LIMIT_'))
    .map(([name, schema]) => [name, Number(schema.parse(undefined))]),
);
