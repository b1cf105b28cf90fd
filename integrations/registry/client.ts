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
      signatureImage: z.string().nullable().optional(),
    })
    .nullable(),
});
const profile = z.object({ physician: z.object({ signatureImage: z.string().nullable() }) });
export type RoutedPhysician = NonNullable<z.infer<typeof route>['physician']>;

export type RegistryClient = ReturnType<typeof createRegistryClient>;

/** All methods throw OutboundError. */
export const createRegistryClient = (settings: SignedParty) => ({
  /** The physician for a platform and state, null if none is available. Older registries omit the signature image. */
  async route(platform: string, state: string, limits: CallLimits): Promise<RoutedPhysician | null> {
    const query = new URLSearchParams({ platform, state, withSignature: 'true' });
    const call = { method: 'GET', resource: 'route', path: `/route?${query.toString()}` } as const;
    return parseAnswer(settings.party, await signedCall(settings, { ...call, ...limits }), route).physician;
  },

  /** A physician's signature image as uploaded, null if there is none. */
  async signatureOf(physicianId: string, limits: CallLimits): Promise<string | null> {
    const path = `/physicians/${encodeURIComponent(physicianId)}`;
    const response = await signedCall(settings, { method: 'GET', resource: 'physician', path, ...limits });
    return parseAnswer(settings.party, response, profile).physician.signatureImage;
  },
});
