import type { z } from 'zod';
import { baseShape, serviceShapes } from '../../platform/config-shapes.js';
import type { Settings } from './ports.js';

/** The settings of the year of care. `dev.json` shows them, and a user may set them. */
export const careSettings: readonly string[] = [
  'REFILLS_WHEN_UNPAID',
  'RECEIPTS',
  'REFILL_NOTICE_DAYS',
  'EMR_CONSENT_EXTENSION',
  'INTAKE_REQUIRE_EMAIL_PROOF',
  'CHECK_IN_DAYS',
  'CHECK_IN_GRACE_DAYS',
  'PLAN_NOTICES',
  'ENDPOINT_FAILING_MINUTES',
  'DAILY_CLOSE',
  'ADMIN_SIGN_IN',
];

const shapes: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  [baseShape, ...Object.values(serviceShapes)].flatMap((shape) => Object.entries<z.ZodType>(shape)),
);

/** Each setting that holds, as text: the user's, else the default. */
export const careSettingsInForce = (settings: Settings): Record<string, string> =>
  Object.fromEntries(careSettings.map((name) => [name, String(shapes[name]?.parse(settings[name]))]));
