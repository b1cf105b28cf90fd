import { z } from 'zod';
import { exchange, type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';

const party = 'Organization service';
const timeoutMs = 5_000;
const own = z.object({ admin: z.object({ email: z.string() }) });

export interface People {
  /** The address of the admin whose token it is. @throws OutboundError */
  emailOf: (authorization: string) => Promise<string>;
  /** Hands a step of signing in on as it is. @throws OutboundError of kind timeout or network */
  signIn: (step: 'send' | 'check', body: unknown) => Promise<OutboundResponse>;
}

/** Signing in and who has signed in, as the organization service has it (D72). */
export const createPeople = (baseUrl: string): People => ({
  async emailOf(authorization) {
    const url = `${baseUrl}/v1/auth/me`;
    const answer = await exchange({
      party,
      method: 'GET',
      resource: 'session',
      url,
      headers: { authorization },
      timeoutMs,
    });
    return parseAnswer(party, answer, own).admin.email;
  },

  signIn: (step, body) =>
    exchange({
      party,
      method: 'POST',
      resource: 'session',
      url: `${baseUrl}/v1/auth/otp/${step}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
    }),
});
