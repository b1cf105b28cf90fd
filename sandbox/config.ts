import { z } from 'zod';

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const secret = (fallback: string) => z.string().min(1).default(fallback);
const url = (fallback: string) => z.url({ protocol: /^https?$/ }).default(fallback);

/** Defaults for development only; nothing outside this machine accepts these secrets. */
const settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_PORT: port(4100),
  SANDBOX_SMTP_PORT: port(4125),
  SANDBOX_TLS_PORT: port(4144),
  SANDBOX_DNS_PORT: port(4153),
  SANDBOX_DATA_DIR: z.string().min(1).default('.local/sandbox'),
  SANDBOX_EMR_TOKEN: secret('sandbox-emr-token'),
  SANDBOX_EMR_WEBHOOK_SECRET: secret('sandbox-emr-webhook-secret'),
  SANDBOX_STRIPE_SECRET_KEY: secret('sk_test_sandbox'),
  SANDBOX_STRIPE_WEBHOOK_SECRET: secret('whsec_sandbox'),
  SANDBOX_PHARMACY_A_API_KEY: secret('sandbox-pharmacy-a-key'),
  SANDBOX_PHARMACY_A_WEBHOOK_SECRET: secret('sandbox-pharmacy-a-webhook-secret'),
  SANDBOX_PHARMACY_B_CLIENT_ID: secret('sandbox-pharmacy-b-client'),
  SANDBOX_PHARMACY_B_CLIENT_SECRET: secret('sandbox-pharmacy-b-secret'),
  SANDBOX_PHARMACY_B_TOKEN_TTL_SECONDS: z.coerce.number().positive().default(300),
  SANDBOX_PHARMACY_B_WEBHOOK_SECRET: secret('sandbox-pharmacy-b-webhook-secret'),
  SANDBOX_SHIPPING_API_KEY: secret('sandbox-shipping-key'),
  SANDBOX_SHIPPING_API_SECRET: secret('sandbox-shipping-secret'),
  SANDBOX_TWILIO_ACCOUNT_SID: secret('AC00000000000000000000000000000000'),
  SANDBOX_TWILIO_AUTH_TOKEN: secret('sandbox-twilio-token'),
  SANDBOX_EVENT_SINK_SECRET: secret('sandbox-event-sink-secret'),
  SANDBOX_IDP_ISSUER: z.string().min(1).default('http://127.0.0.1:4100/idp'),
  SANDBOX_IDP_AUDIENCE: z.string().min(1).default('scriptrail'),
  SANDBOX_ROUTER_URL: url('http://127.0.0.1:4001'),
  SANDBOX_ORCHESTRATOR_URL: url('http://127.0.0.1:4002'),
  SANDBOX_BRIDGE_URL: url('http://127.0.0.1:4008'),
});

/** The settings by their environment variables; port 0 means any free port. */
export type Config = z.infer<typeof settings>;

/**
 * Reads the settings from the environment.
 * @throws Error that names every invalid setting
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = settings.safeParse(env);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The sandbox cannot start with these settings: ${faults.join('; ')}.`);
}
