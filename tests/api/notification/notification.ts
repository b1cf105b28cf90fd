import { adminToken, type Answer, call, callAs, sandbox, shared } from '../../helpers/client.js';
import { openApiOf, operationsOf } from '../../helpers/openapi.js';

export const dev = shared();

/** Method and path of every route for admins, as the service documents them. */
export const adminRoutes = async () =>
  operationsOf(await openApiOf(dev, 'notification'))
    .filter(({ security }) => security?.some((scheme) => 'adminToken' in scheme))
    .map(({ method, path }) => [method.toUpperCase(), path.replace('{type}', 'welcome')] as const);

export interface Sent {
  success: boolean;
  channels: {
    channel: string;
    status: string;
    reason?: string;
    error?: string;
    providerMessageId?: string;
  }[];
  logId: string;
  error?: string;
}
export interface Entry {
  id: string;
  notificationType: string;
  recipientEmail: string | null;
  recipientPhone: string | null;
  channels: Sent['channels'];
  status: string;
  missingVariables: string[];
  createdAt: string;
}
export interface LogPage {
  entries: Entry[];
  nextCursor: string | null;
}

/** `POST /notify/send` as a client does it. */
export const send = <T = Sent>(body: unknown, idempotencyKey?: string): Promise<Answer<T>> =>
  call<T>(dev, 'notification', {
    key: 'notifier',
    method: 'POST',
    path: '/notify/send',
    body,
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });

/** A superadmin's request. */
export const asAdmin = async <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> =>
  callAs<T>(dev, 'notification', await adminToken(dev), {
    method,
    path: `/notify${path}`,
    ...(body === undefined ? {} : { body }),
  });

export interface Message {
  channel: string;
  to: string | null;
  subject: string | null;
  text: string;
  html: string | null;
}

/** Messages at the external services that hold this text. */
export async function messagesWith(text: string): Promise<Message[]> {
  const { messages } = await sandbox<{ messages: Message[] }>(dev, '/messages');
  return messages.filter((message) => JSON.stringify(message).includes(text));
}

/** Refused by the SMS provider as no mobile number. */
export const refusedPhone = '+15005550009';
