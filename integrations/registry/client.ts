import { z } from 'zod';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const route = z.object({
  physician: z
    .object({
      id: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      suffix: z.string().nullable(),
      npi: z.string(),
      emrPractitionerId: z.string().nullable(),
      /** The registry shows it to nobody without the right to read it. */
      signatureImage: z.string().nullish(),
    })
    .nullable(),
});
export type RoutedPhysician = NonNullable<z.infer<typeof route>['physician']>;

export type RegistryClient = ReturnType<typeof createRegistryClient>;

/** Throws OutboundError. */
export const createRegistryClient = (settings: SignedParty) => ({
  /** The physician for a platform and state, null if none is available. */
  async route(platform: string, state: string, limits: CallLimits): Promise<RoutedPhysician | null> {
    const query = new URLSearchParams({ platform, state, withSignature: 'true' });
    const call = { method: 'GET', resource: 'route', path: `/route?${query.toString()}` } as const;
    return parseAnswer(settings.party, await signedCall(settings, { ...call, ...limits }), route).physician;
  },
});
