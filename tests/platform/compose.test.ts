import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { portsFrom } from '../../dev/start/ports.js';

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const compose = z
  .object({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
    configs: z.record(z.string(), z.object({ content: z.string() })),
  })
  .parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }));
const services = Object.entries(compose.services);
const of = (name: string) => compose.services[name]!;

/** The port on this machine behind `127.0.0.1:<published>:<inside>`. */
const publishedPort = (name: string): number => Number(of(name).ports[0]?.split(':')[1]);

describe('docker-compose.yml', () => {
  test('runs Postgres, Temporal and its Web UI, and what prepares them', () => {
    expect(Object.keys(compose.services)).toEqual([
      'postgres',
      'temporal-schema',
      'temporal',
      'temporal-namespace',
      'temporal-ui',
    ]);
  });

  test('pins every image to a version', () => {
    for (const [name, { image }] of services)
      expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+/)]);
    expect(of('postgres').image).toMatch(/^postgres:18\./);
    expect(of('temporal').image.split(':')[1]).toBe(of('temporal-schema').image.split(':')[1]);
  });

  test("keeps what Postgres logs to the error's words: its details quote rows", () => {
    expect(of('postgres').command?.join(' ')).toContain('-c log_error_verbosity=terse');
  });

  test('publishes ports on loopback only', () => {
    const published = services.flatMap(([, { ports }]) => ports);
    expect(published).toHaveLength(3);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('keeps data in a named volume and says of each server whether it is healthy', () => {
    const mounted = services.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0]));
    expect(mounted).toEqual(Object.keys(compose.volumes));
    for (const name of ['postgres', 'temporal', 'temporal-ui']) expect(of(name).healthcheck).toBeDefined();
  });

  test('starts each part after what it stands on', () => {
    for (const [, { depends_on: needs }] of services) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        const hasHealth = of(needed).healthcheck !== undefined;
        expect(condition).toBe(hasHealth ? 'service_healthy' : 'service_completed_successfully');
      }
    }
  });

  test('hands Temporal a dynamic configuration that exists and can be read', () => {
    const [mounted] = of('temporal').configs;
    expect(of('temporal').environment['DYNAMIC_CONFIG_FILE_PATH']).toBe(mounted?.target);
    const settings: unknown = parse(compose.configs[mounted!.source]!.content);
    expect(settings).toMatchObject({ 'history.transferProcessorMaxPollRPS': [{ value: 5000 }] });
  });

  test("keeps rows out of Postgres' log, where the details of an error would quote them", () => {
    expect(of('postgres').command).toContain('log_error_verbosity=terse');
  });

  test('holds no password', () => {
    const secrets = services.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD/.test(name)),
    );
    expect(secrets).not.toHaveLength(0);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });

  test("listens where the product's own defaults look", () => {
    const { temporal, temporalUi, postgres, codec } = portsFrom({});
    expect(publishedPort('temporal')).toBe(temporal);
    expect(publishedPort('temporal-ui')).toBe(temporalUi);
    expect(publishedPort('postgres')).toBe(postgres);
    expect(of('temporal-ui').environment['TEMPORAL_CODEC_ENDPOINT']).toBe(
      `\${TEMPORAL_CODEC_ENDPOINT:-http://127.0.0.1:${codec}}`,
    );
  });

  test('is used as the documentation says', () => {
    const { POSTGRES_USER: owner, POSTGRES_DB: database } = of('postgres').environment;
    const page = readFileSync('docs/configuration.md', 'utf8');
    expect(page).toContain(
      `postgres://${owner}:$POSTGRES_PASSWORD@127.0.0.1:${publishedPort('postgres')}/${database}`,
    );
    expect(page).toContain(`TEMPORAL_ADDRESS=127.0.0.1:${publishedPort('temporal')}`);
  });
});
