import { ServiceClient } from '../clients/typescript/src/index.js';
import type { ServiceName } from '../platform/service-names.js';
import { bearer } from './admin.js';
import { readSystem, type System } from './system.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ServiceCall {
  service: ServiceName;
  /** Name of an API key in the system's description. Each service has a default. */
  key?: string | undefined;
  /** Sends a token of the system's superadmin instead of a signature, so it needs no key. */
  asAdmin?: true;
  /** GET by default. */
  method?: Method;
  path: string;
  /** Signed and sent unchanged. */
  body?: string | undefined;
  headers?: Record<string, string>;
}

export interface ServiceAnswer {
  status: number;
  /** Parsed if it is JSON, otherwise the text. */
  body: unknown;
}

/** Longer than a synchronous answer may take (D34: 120 s). */
const timeoutMs = 130_000;

const defaultKeys: Partial<Record<ServiceName, string>> = {
  orchestrator: 'approvals',
  router: 'clinic',
  registry: 'registry',
  notification: 'notifier',
};

/** One request to a service of the running system, signed or as the superadmin. @throws NoAnswer */
export async function callService(system: System, call: ServiceCall): Promise<ServiceAnswer> {
  const { service, method = 'GET', path, body } = call;
  const name = call.key ?? defaultKeys[service] ?? 'admin';
  const credentials = call.asAdmin ? {} : { key: keyOf(system, name) };
  const baseUrl = system.services[service];
  if (baseUrl === undefined) throw new Error(`The address of ${service} is not in the system's description.`);
  const headers = { ...call.headers, ...(call.asAdmin && (await bearer())) };
  // One attempt: an operator wants to see the present answer.
  const client = new ServiceClient(service, { baseUrl, ...credentials, timeoutMs, attempts: 1 });
  return client.send(method, path, body, { headers });
}

/** A key of the system's description. @throws Error that names those there are */
export function keyOf(system: System, name: string): { id: string; secret: string } {
  const key = system.apiKeys[name];
  if (!key) throw new Error(`There is no key ${name}; there are ${Object.keys(system.apiKeys).join(', ')}.`);
  return { id: key.key, secret: key.secret };
}

/** Prints the status and body of the answer. A status of 400 or more sets exit code 1. */
export async function callAndPrint(call: ServiceCall): Promise<void> {
  const { status, body } = await callService(readSystem(), call);
  console.log(status);
  console.log(pretty(body));
  if (status >= 400) process.exitCode = 1;
}

export const pretty = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body, null, 2);
