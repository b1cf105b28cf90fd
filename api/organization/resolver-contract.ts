import { z } from 'zod';
import { organization } from './organizations-contract.js';
import { branding, portalConfig } from './settings-contract.js';

export const resolveQuery = z.object({ hostname: z.string().min(1) });
export const resolved = z
  .object({
    organization: organization.pick({ id: true, slug: true, kind: true, displayName: true, status: true }),
    branding,
    portalConfig,
  })
  .meta({ id: 'ResolvedHostname' });
