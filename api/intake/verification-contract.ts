import { z } from 'zod';
import { codeRefusals } from '../../domain/intake/verification.js';
import { emailAddress, given } from './answers.js';

export const sendRequest = z.object({ email: given.pipe(emailAddress) }).meta({ id: 'SendCode' });
export const sendAnswer = z.object({
  success: z.literal(true),
  message: z.literal('Verification code sent'),
});

export const checkRequest = z
  .object({ email: given.pipe(emailAddress), code: given.describe('Six digits') })
  .meta({ id: 'CheckCode' });
export const checkAnswer = z.union([
  z.object({ verified: z.literal(true) }),
  z.object({ verified: z.literal(false), error: z.enum(codeRefusals) }),
]);
