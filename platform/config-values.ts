import ipaddr from 'ipaddr.js';
import { z } from 'zod';

// The kinds of values that settings have.

export const port = z.coerce.number().int().min(0).max(65_535);
export const url = z.url({ protocol: /^https?$/ });
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
export const key = z.string().min(1);
/** Secrets that sign or encrypt: at least 32 bytes, and in production nobody's sample (reliability point 9). */
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
/** Of one owner: `<OWNER>_CODEC_KEYS` (D90). */
export const codecRing = <Owner extends string>(owner: Owner) =>
  ({ [`${owner}_CODEC_KEYS`]: keyRing }) as Record<`${Owner}_CODEC_KEYS`, typeof keyRing>;
/** The server joins the two with `:`, and older ones with `.`, so only the second may have dots. */
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

/** Days after something, in growing order: `1,3,7`. Fractions are for development; production asks for whole ones. */
export const days = z.string().transform((value, context): number[] => {
  const all = value.split(',').map(Number);
  const isGrowing = all.every((day, index) => day > 0 && day < 366 && day > (all[index - 1] ?? 0));
  if (isGrowing) return all;
  context.addIssue({ code: 'custom', message: 'must be growing numbers of days, separated by commas' });
  return z.NEVER;
});

export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
/** `patient.archived` of some events, `patient.*` of all of one kind. */
export const eventTypes = list.refine(
  (all) => all.every((type) => /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/.test(type)),
  'must be comma-separated types of events, such as patient.archived or patient.*',
);
/** In lower case; an IPv6 address stands in brackets, as in a URL. */
export const hostsWithPort = list
  .refine(
    (all) => all.every((entry) => /^([^:[\]/]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(entry)),
    'must be comma-separated host:port entries',
  )
  .transform((all) => all.map((entry) => entry.toLowerCase()));
/** `none`: there are none, and that is meant (D89). */
export const addresses = list
  .transform((all) => (all.length === 1 && all[0] === 'none' ? [] : all))
  .refine(
    (all) =>
      all.every(
        (address) => ipaddr.isValid(address) || (ipaddr.isValidCIDR(address) && !address.endsWith('/0')),
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
    // reported below like any other shape
  }
  context.addIssue({
    code: 'custom',
    message: 'must be JSON {firstName,lastName,suffix,npi,emrPractitionerId}',
  });
  return z.NEVER;
});

/** Seconds since something happened, comma-separated and growing; fractions are for trying it out. */
export const growingSeconds = (byDefault: readonly number[]) =>
  z
    .string()
    .default(byDefault.join(','))
    .transform((value) => value.split(',').map(Number))
    .refine(
      (all) => all.every((seconds, index) => seconds > (all[index - 1] ?? 0)),
      'must be comma-separated seconds, each more than the one before',
    );
