import { ServiceClient } from '../clients/typescript/src/index.js';
import type { ServiceName } from '../platform/service-names.js';
import type { System } from './system.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface ServiceCall {
  service: ServiceName;
  /** The name of a key of the system; without it one that fits the service. */
  key?: string | undefined;
  method: Method;
  path: string;
  /** Signed and sent as it is. */
  body?: string | undefined;
  headers?: Record<string, string>;
}

export interface ServiceAnswer {
  status: number;
  /** Parsed where it is JSON, else the text. */
  body: unknown;
}

/** Longer than a synchronous answer may take (D34: 120 s). */
const timeoutMs = 130_000;

const fittingKeys: Partial<Record<ServiceName, string>> = {
  orchestrator: 'approvals',
  router: 'clinic',
  registry: 'registry',
  notification: 'notifier',
};

/** One signed request to a service of the running system. @throws NoAnswer */
export async function callService(system: System, call: ServiceCall): Promise<ServiceAnswer> {
  const { service, method, path, body, headers = {} } = call;
  const name = call.key ?? fittingKeys[service] ?? 'admin';
  const apiKey = system.apiKeys[name];
  const baseUrl = system.services[service];
  if (!apiKey)
    throw new Error(`There is no key ${name}; there are ${Object.keys(system.apiKeys).join(', ')}.`);
  if (baseUrl === undefined) throw new Error(`The address of ${service} is not in the system's description.`);
  const key = { id: apiKey.key, secret: apiKey.secret };
  // Once: who operates wants to see what is answered now.
  const client = new ServiceClient(service, { baseUrl, key, timeoutMs, attempts: 1 });
  return client.send(method, path, body, { headers });
}

export const pretty = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body, null, 2);
