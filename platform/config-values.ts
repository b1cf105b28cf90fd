import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const port = z.coerce.number().int().min(0).max(65_535);
export const url = z.url({ protocol: /^https?$/ });
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
export const key = z.string().min(1);
/** Signs or encrypts. Production also rejects sample values (reliability point 9). */
export const secret = z
  .string()
  .refine((value) => Buffer.byteLength(value) >= 32, 'must be at least 32 bytes');
/** `id:base64,older:base64`: the first key encrypts, all of them decrypt. */
export const keyRing = z.string().transform((value, context): { id: string; key: Buffer }[] => {
  const keys = value.split(',').map((entry) => {
    const separator = entry.indexOf(':');
    return { id: entry.slice(0, separator), key: Buffer.from(entry.slice(separator + 1), 'base64') };
  });
  if (keys.every(({ id, key }) => /^[\w.-]{1,64}$/.test(id) && key.length === 32)) return keys;
  context.addIssue({ code: 'custom', message: 'must be id:base64 entries of 32-byte keys' });
  return z.NEVER;
});
export const named = <Name extends string, Schema>(name: Name, schema: Schema) =>
  ({ [name]: schema }) as Record<Name, Schema>;
/** Temporal joins deployment name and build id with `:`, older servers with `.`, so only the id may have dots. */
export const deploymentName = z
  .string()
  .regex(/^[\w-]{1,128}$/, 'must be at most 128 letters, digits, dashes and underscores');
export const buildId = z
  .string()
  .regex(/^[\w.-]{1,128}$/, 'must be at most 128 letters, digits, dots, dashes and underscores');
export const timeZone = z.string().refine((value) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
  } catch {
    return false;
  }
}, 'must be an IANA time zone');

const growing = (below: number, message: string) =>
  z
    .string()
    .transform((value) => value.split(',').map(Number))
    .refine((all) => all.every((one, index) => one < below && one > (all[index - 1] ?? 0)), message);
/** `1,3,7`. Development may use fractions. */
export const days = growing(366, 'must be growing numbers of days, separated by commas');
/** `30,120,600`. Development may use fractions. */
export const growingSeconds = growing(
  Infinity,
  'must be comma-separated seconds, each more than the one before',
);

export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
/** `patient.archived` is one type, `patient.*` all types of patient events. */
export const eventTypes = list.refine(
  (all) => all.every((type) => /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/.test(type)),
  'must be comma-separated types of events, such as patient.archived or patient.*',
);
/** In lower case. IPv6 addresses are in brackets, as in URLs. */
export const hostsWithPort = list
  .refine(
    (all) => all.every((entry) => /^([^:[\]/]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(entry)),
    'must be comma-separated host:port entries',
  )
  .transform((all) => all.map((entry) => entry.toLowerCase()));
/** `none` confirms an empty list (D89). */
/** Two halves of the Internet are no gateways either. */
const minPrefix = 8;

export const addresses = list
  .transform((all) => (all.length === 1 && all[0] === 'none' ? [] : all))
  .refine(
    (all) =>
      all.every(
        (address) =>
          ipaddr.isValid(address) ||
          (ipaddr.isValidCIDR(address) && Number(address.split('/')[1]) >= minPrefix),
      ),
    'must be comma-separated addresses or CIDR ranges',
  );

const prescriber = z.object({
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  suffix: z.string(),
  npi: z.string().regex(/^\d{10}$/),
  emrPractitionerId: z.string(),
});
export const prescriberJson = z.string().transform((value, context) => {
  try {
    const parsed = prescriber.safeParse(JSON.parse(value));
    if (parsed.success) return parsed.data;
  } catch {
    // reported below
  }
  context.addIssue({
    code: 'custom',
    message: 'must be JSON {firstName,lastName,suffix,npi,emrPractitionerId}',
  });
  return z.NEVER;
});
