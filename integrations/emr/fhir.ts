import { type CallLimits, exchange, type OutboundResponse } from '../../platform/http/outbound.js';

export const party = 'EMR';

export interface FhirServer {
  baseUrl: string;
  token: string;
}

interface FhirCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Starts with the resource type. */
  path: string;
  /** The link of a further page; the log shows `path`. */
  url?: string;
  body?: object;
  /** Search parameters to post: a URL would carry personal values into logs (D63). */
  form?: URLSearchParams;
  headers?: Record<string, string>;
}

/** One call of the EMR's FHIR R4 API. @throws OutboundError of kind timeout or network */
export function callFhir(server: FhirServer, call: FhirCall, limits: CallLimits): Promise<OutboundResponse> {
  const { method, path, url = server.baseUrl + path, body, form, headers } = call;
  const sent = form?.toString() ?? (body && JSON.stringify(body));
  return exchange({
    party,
    method,
    resource: /\w+/.exec(path)?.[0] ?? '',
    url,
    headers: {
      authorization: `Bearer ${server.token}`,
      accept: 'application/fhir+json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(body && { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
    ...limits,
  });
}
