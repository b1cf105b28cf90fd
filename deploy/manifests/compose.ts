import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const secretMount = z.union([
  z.string().transform((source) => ({ source, target: source })),
  z.object({ source: z.string(), target: z.string() }),
]);
const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), target: z.string() }).optional(),
  profiles: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  secrets: z.array(secretMount).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.string(),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  user: z.string().optional(),
  stop_grace_period: z.string().optional(),
  mem_limit: z.string().optional(),
  cpus: z.number().optional(),
});
const compose = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
export type ComposeService = z.infer<typeof service>;
type Compose = z.infer<typeof compose>;

/** Parses the parts of `docker-compose.yml` that manifests and tests use. */
export const readCompose = (): Compose =>
  compose.parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true, maxAliasCount: -1 }));

/** Reads a file of `env_file`. */
export const readSettings = (path: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** @throws Error for an unknown container */
export function serviceOf({ services }: Compose, name: string): ComposeService {
  const found = services[name];
  if (!found) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

/** The port that a container listens on. */
export const portOf = ({ ports: [published = ''] }: ComposeService): number =>
  Number(published.split(':').at(-1));

/** The command of a container's health check. */
export const healthTestOf = ({ healthcheck }: ComposeService): string[] => healthcheck?.test.slice(1) ?? [];
