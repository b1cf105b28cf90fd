import type { ServiceRoutes } from '../context.js';

/** The EMR bridge (page 3). */
export const bridgeRoutes: ServiceRoutes = async () => undefined;
