import type { ServiceName } from '../platform/service-names.js';
import { signedHeadersV2 } from '../platform/crypto/signature.js';
import { exchange } from '../platform/http/outbound.js';
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

/** One signed request to a service of the running system. @throws OutboundError when it gives no answer */
export async function callService(system: System, call: ServiceCall): Promise<ServiceAnswer> {
  const { service, method, path, body = '', headers } = call;
  const name = call.key ?? fittingKeys[service] ?? 'admin';
  const apiKey = system.apiKeys[name];
  const baseUrl = system.services[service];
  if (!apiKey)
    throw new Error(`There is no key ${name}; there are ${Object.keys(system.apiKeys).join(', ')}.`);
  if (baseUrl === undefined) throw new Error(`The address of ${service} is not in the system's description.`);
  // What is signed is the path as it goes over the wire.
  const url = new URL(baseUrl + path);
  const signed = { method, path: url.pathname + url.search };
  const response = await exchange({
    party: service,
    method,
    url: url.href,
    headers: {
      ...signedHeadersV2({ keyId: apiKey.key, secret: apiKey.secret }, signed, body),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === '' ? {} : { body }),
    timeoutMs,
  });
  return { status: response.status, body: parsed(response.body) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const pretty = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body, null, 2);
