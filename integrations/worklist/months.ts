import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const cents = z.number().describe('In cents');
const billedCents = cents.nullable().describe('In cents; null without a statement');
export const month = z.object({
  month: z.string(),
  closedDays: z.int().describe('Days of the month that are closed, whose figures these are'),
  pharmacies: z.array(z.object({ pharmacy: z.string(), orders: z.int(), billedCents })),
  orders: z.int(),
  chargedCents: cents,
  refundedCents: cents,
  billedCents,
});

const timeoutMs = 5_000;

/** The figures of a month from the orchestrator's closes and statements. @throws OutboundError */
export async function readMonth(orchestrator: SignedParty, name: string) {
  const path = `/orchestrator/months/${name}`;
  const call = { method: 'GET', resource: 'month', path, timeoutMs } as const;
  return parseAnswer(orchestrator.party, await signedCall(orchestrator, call), month);
}
