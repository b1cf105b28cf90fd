import type { DevJson } from '../../../dev/dev-json.js';
import { hmacHex } from '../../../platform/crypto/signature.js';
import { freshTask } from '../../helpers/client.js';

/** An event of the processor. */
export const stripeEvent = (type: string, object: unknown) => ({
  id: `evt_${freshTask()}`,
  object: 'event',
  created: Math.floor(Date.now() / 1_000),
  type,
  data: { object },
});

/** Posts what the processor signed. @returns status and body */
export async function postStripe(
  { services, webhookSecrets }: DevJson,
  event: object | string,
  { at = Date.now(), secret = webhookSecrets.stripe }: { at?: number; secret?: string } = {},
): Promise<[number, unknown]> {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const t = Math.floor(at / 1_000);
  const response = await fetch(`${services.orchestrator}/orchestrator/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${t},v1=${hmacHex(secret, Buffer.from(`${t}.${text}`))}`,
    },
    body: text,
  });
  return [response.status, await response.json()];
}
