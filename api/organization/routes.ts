import type { ServiceRoutes } from '../context.js';

/** The organization service (page 3). */
export const organizationRoutes: ServiceRoutes = async () => undefined;
