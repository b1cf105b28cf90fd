import type { ServiceRoutes } from '../context.js';

/** The intake gateway (page 2). */
export const intakeRoutes: ServiceRoutes = async () => undefined;
