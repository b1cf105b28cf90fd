import { z } from 'zod';
import { adminUser, email } from './admin-users-contract.js';
import { timestamp } from './organizations-contract.js';

export const codeRequest = z.object({ email }).meta({ id: 'SignInCodeRequest' });
export const codeSent = z.object({ success: z.literal(true) });
export const codeCheck = z.object({ email, code: z.string().max(20) }).meta({ id: 'SignInCodeCheck' });
export const tokenExchange = z
  .object({ idToken: z.string().min(1).max(16_384) })
  .meta({ id: 'TokenExchange' });
export const session = z
  .object({ token: z.string(), expiresAt: timestamp, admin: adminUser })
  .meta({ id: 'AdminSession' });
