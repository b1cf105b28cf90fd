import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { z } from 'zod';
import type { RouteShorthandOptions } from 'fastify';
import { createApp } from '../../api/app.js';
import type { App, Service, ServiceContext } from '../../api/context.js';
import type { Access } from '../../api/plugins/access.js';
import { formForAnybody } from '../../api/plugins/anonymous.js';
import { services } from '../../api/services.js';
import { createSql, type Sql } from '../../db/client.js';
import { productEnvironment } from '../../dev/start/environment.js';
import { portsFrom } from '../../dev/start/ports.js';
import { makeSecrets } from '../../dev/start/secrets.js';
import { accessActions } from '../../domain/access-events.js';
import { loadConfig } from '../../platform/config.js';
import { type ServiceName, serviceNames } from '../../platform/service-names.js';
import { createLogger } from '../../platform/logger.js';
import { handedOn } from '../helpers/handed-on.js';

const config = loadConfig(
  productEnvironment({
    host: '127.0.0.1',
    ports: portsFrom({}),
    secrets: makeSecrets(),
    sandboxDataDir: '/sandbox',
    settings: {},
  }),
  serviceNames,
);
/** Nothing listens there. */
const sql: Sql = createSql('postgres://nobody@127.0.0.1:1/none', { applicationName: 'test' });
afterAll(() => sql.end());
const logger = createLogger({ level: 'silent' });
const context = { config, logger, sql, temporal: new Client() } satisfies ServiceContext;

const asksOurServices = new RegExp(`/integrations/(${serviceNames.join('|')})/`);

interface Declared {
  service: ServiceName;
  method: string;
  path: string;
  access: Access;
}

/** Lists the declarations of a service's routes, without the development form. */
async function declaredBy(service: ServiceName): Promise<Declared[]> {
  const found: Declared[] = [];
  const described = services[service] as Service;
  const listening: Service = {
    ...described,
    routes: async (app, given) => {
      app.addHook('onRoute', ({ method, url: path, config: { access } = {} }) => {
        if (access && method !== 'HEAD') found.push({ service, method: String(method), path, access });
      });
      await described.routes(app, given);
    },
  };
  const app = await createApp(listening, context);
  await app.close();
  return found;
}

describe('what the routes declare', () => {
  let declared: Declared[];
  beforeAll(async () => {
    declared = (await Promise.all(serviceNames.map(declaredBy))).flat();
  });

  test('the page of access events by route lists every route with its action', () => {
    const page = new URL('../../evidence/results/access-routes.md', import.meta.url);
    const text = readFileSync(page, 'utf8');
    const current = `${text.slice(0, text.indexOf('| about |'))}${tableOf(declared)}\n`;
    if (process.env['WRITE_ACCESS_EVENTS'] === 'yes') writeFileSync(page, current);
    else expect(text).toBe(current);
  });

  test('every route that hands anybody’s request on says so, and its address is tested', () => {
    const found = declared.filter(({ access }) => 'none' in access && access.none.startsWith('handed on'));
    expect(found.map(({ service, method, path }) => `${service} ${method} ${path}`).sort()).toEqual(handedOn);
    // A caller that is neither key nor admin leaves no event, so these files must hand the caller on.
    const silent = readdirSync('api', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`api/${file}`, 'utf8'))
      .filter((text) => /\b(form)?forAnybody\(/i.test(text) && asksOurServices.test(text))
      .filter((text) => !text.includes("none: 'handed on"));
    expect(silent).toEqual([]);
  });

  test('every action is some route’s, or the command line’s', () => {
    const commands = readdirSync('cli')
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`cli/${file}`, 'utf8'));
    const used = new Set(
      declared.flatMap(({ access }) => ('none' in access ? [] : [access.action, access.refusal])),
    );
    // Any route refuses a caller.
    used.add('auth.refuse');
    const unused = accessActions.filter((action) => !used.has(action));
    expect(unused.filter((action) => !commands.some((text) => text.includes(`'${action}'`)))).toEqual([]);
  });
});

/**
 * Lists the routes by what they leave: a row for each noun of an action, then one for each service's routes that leave
 * nothing.
 */
function tableOf(declared: readonly Declared[]): string {
  const rows = new Map<string, string[]>();
  const add = (subject: string, entry: string) => rows.set(subject, [...(rows.get(subject) ?? []), entry]);
  const listed = declared.filter(({ path }) => path !== '/');
  for (const { service, method, path, access } of listed) {
    if ('none' in access) continue;
    for (const action of [access.action, access.refusal])
      if (action) add(`\`${action.split('.')[0]!}\``, `\`${action}\` ${service} \`${method} ${path}\``);
  }
  for (const { service, method, path, access } of listed)
    if ('none' in access) add(`none, ${service}`, `\`${method} ${path}\` (${access.none})`);
  return [
    '| about | action, service and route |',
    '| --- | --- |',
    ...[...rows].map(([subject, entries]) => `| ${subject} | ${entries.join(', ')} |`),
  ].join('\n');
}

describe('a service', () => {
  const answer = { response: { 200: z.object({ ok: z.literal(true) }) } };
  const routes: [string, 'GET' | 'POST', Access | undefined][] = [
    ['/read/:id', 'GET', { action: 'patient.read', record: 'id' }],
    ['/change/:id', 'POST', { action: 'patient.update', record: 'id' }],
    ['/public', 'GET', { none: 'public' }],
  ];
  const serving = (own: typeof routes): Promise<App> =>
    createApp(
      {
        ...services.patients,
        routes: async (app) => {
          for (const [url, method, access] of own)
            app.route({
              url,
              method,
              ...(access && { config: { access, caller: 'key' } }),
              schema: answer,
              handler: async (request) => {
                request.accessed.actor = { actor: 'key', actorKind: 'key' };
                return { ok: true as const };
              },
            });
        },
      },
      context,
    );

  test.each<[string, RouteShorthandOptions]>([
    ['no limits', {}],
    ['no limit of its body', { onRequest: async () => undefined }],
    ['no rate', { bodyLimit: 4096 }],
    ['a limit above the longest form', { ...formForAnybody(async () => undefined), bodyLimit: 1024 * 1024 }],
  ])('does not start with a route for anybody that has %s (D159)', async (_name, limits) => {
    const starting = createApp(
      {
        ...services.patients,
        routes: async (app) => {
          const config = { access: { none: 'public' } };
          app.post('/things', { config, ...limits, schema: answer }, async () => ({ ok: true as const }));
        },
      },
      context,
    );
    await expect(starting).rejects.toThrow('POST /things has no limits for anybody');
  });

  test('does not start with a route that declares no access', async () => {
    await expect(serving([['/secret', 'GET', undefined]])).rejects.toThrow('GET /secret declares no access');
  });

  test('keeps to itself what it would show without a note, and says what has changed', async () => {
    const app = await serving(routes);
    const ask = async (method: 'GET' | 'POST', url: string) => {
      const { statusCode, body } = await app.inject({ method, url });
      return [statusCode, JSON.parse(body) as unknown];
    };
    expect(await ask('GET', '/read/1')).toEqual([
      503,
      { error: 'unavailable', message: 'Temporarily unavailable' },
    ]);
    expect(await ask('POST', '/change/1')).toEqual([200, { ok: true }]);
    expect(await ask('GET', '/public')).toEqual([200, { ok: true }]);
    expect((await ask('GET', '/read/%00'))[0]).toBe(400);
    await app.close();
  });
});
