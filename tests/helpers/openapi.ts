import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { DevJson } from '../../dev/dev-json.js';
import { eventually } from './client.js';
import type { ServiceName } from '../../platform/service-names.js';

interface Operation {
  summary?: string;
  security?: Record<string, string[]>[];
  responses: Record<string, { description?: string }>;
}
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

export async function openApiOf(dev: DevJson, service: ServiceName): Promise<OpenApi> {
  // A connection that an earlier test file left may be closed just now, which is nobody's fault.
  const answer = await eventually(() =>
    fetch(`${dev.services[service]}/openapi.json`).catch(() => undefined),
  );
  return (await answer.json()) as OpenApi;
}

/** Each operation with its name, such as `get /ready`. */
export const operationsOf = ({
  paths,
}: OpenApi): (Operation & { name: string; method: string; path: string })[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: `${method} ${path}`,
      method,
      path,
    })),
  );

export interface SignedRoute {
  service: ServiceName;
  method: string;
  /** With made-up values in the place of its parameters. */
  path: string;
}

/** How a service refuses a request, in its own shape (D5). */
export const refusalOf = ({ service }: Pick<SignedRoute, 'service'>, text: string) =>
  ['organization', 'patients', 'bridge', 'worklist'].includes(service)
    ? { error: expect.any(String), message: text }
    : { error: text };

/** All routes that only a signed request reaches, as the services document them. */
export async function signedRoutes(dev: DevJson): Promise<SignedRoute[]> {
  const names = Object.keys(dev.services) as ServiceName[];
  const found = await Promise.all(
    names.map(async (service) =>
      operationsOf(await openApiOf(dev, service))
        .filter(({ security }) => security?.some((scheme) => 'signature' in scheme && 'apiKey' in scheme))
        .map(({ method, path }) => ({
          service,
          method: method.toUpperCase(),
          path: path.replace(/\{[^}]+\}/g, () => randomUUID()),
        })),
    ),
  );
  return found.flat();
}
