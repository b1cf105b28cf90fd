import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const month = z.object({
  month: z.string(),
  closedDays: z.number(),
  pharmacies: z.array(
    z.object({ pharmacy: z.string(), orders: z.number(), billedCents: z.number().nullable() }),
  ),
  orders: z.number(),
  chargedCents: z.number(),
  refundedCents: z.number(),
  billedCents: z.number().nullable(),
});

const timeoutMs = 5_000;

/** The figures of a month from the orchestrator's closes and statements. @throws OutboundError */
export async function readMonth(orchestrator: SignedParty, name: string) {
  const path = `/orchestrator/months/${name}`;
  const call = { method: 'GET', resource: 'month', path, timeoutMs } as const;
  return parseAnswer(orchestrator.party, await signedCall(orchestrator, call), month);
}
