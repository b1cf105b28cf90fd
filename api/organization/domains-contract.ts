import { z } from 'zod';
import { domainStates, isHostname } from '../../domain/organization/custom-domains.js';
import { timestamp } from './organizations-contract.js';

export const newCustomDomain = z
  .object({
    hostname: z
      .string()
      .transform((text) => text.toLowerCase())
      .refine(isHostname, 'Must be a hostname such as care.example.com'),
  })
  .meta({ id: 'NewCustomDomain' });

const dnsRecord = z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() });
export const customDomain = z
  .object({
    hostname: z.string(),
    state: z.enum(domainStates),
    dnsRecord: dnsRecord.describe('What proves whose hostname it is'),
    observed: z
      .object({ type: z.literal('TXT'), name: z.string(), values: z.array(z.string()) })
      .nullable()
      .describe('What was there at the last look; null before it'),
    lastCheckedAt: timestamp.nullable(),
    nextCheckAt: timestamp.nullable().describe('Null when none is to come by itself'),
    reason: z.string().nullable().describe('Why it is still pending'),
  })
  .meta({ id: 'CustomDomain' });
export const oneCustomDomain = z.object({ customDomain });
export const registeredDomain = z.object({ customDomain, dnsRecord });
export const customDomainList = z.object({ customDomains: z.array(customDomain) });
export const byHostname = z.object({ id: z.string(), domain: z.string() });
