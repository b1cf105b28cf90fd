import { z } from 'zod';
import type { Branding, NotificationConfig, PortalConfig } from '../../domain/organization/organizations.js';
import { name } from './organizations-contract.js';

const address = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
  .default(null);
const text = name.nullable().default(null);
const flag = z.boolean().default(false);

export const branding = z
  .object({
    primaryColor: z
      .string()
      .regex(/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'Must be a colour such as #1a7f5a')
      .nullable()
      .default(null),
    logoUrl: address,
    faviconUrl: address,
    emailHeaderImageUrl: address,
    displayNames: z
      .object({ patientPortal: text, adminPortal: text, email: text })
      .default({ patientPortal: null, adminPortal: null, email: null })
      .describe('The preferred name per surface'),
  })
  .meta({ id: 'Branding' }) satisfies z.ZodType<Branding>;
export const oneBranding = z.object({ branding });

export const portalConfig = z
  .object({
    messagingEnabled: flag,
    selfSchedulingEnabled: flag,
    refillSelfServiceEnabled: flag,
    termsUrl: address,
  })
  .meta({ id: 'PortalConfig' }) satisfies z.ZodType<PortalConfig>;
export const onePortalConfig = z.object({ portalConfig });

export const notificationConfig = z
  .object({
    fromAddress: z.email().max(254).nullable().default(null),
    fromName: text,
    smsSenderNumber: z
      .string()
      .regex(/^\+?[0-9]{3,15}$/, 'Must be a phone number or short code')
      .nullable()
      .default(null),
    emailConfigurationSet: text,
    defaultTemplateSet: text,
  })
  .meta({ id: 'NotificationConfig' }) satisfies z.ZodType<NotificationConfig>;
export const oneNotificationConfig = z.object({ notificationConfig });
