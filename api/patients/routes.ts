import type { ServiceRoutes } from '../context.js';

/** The patient directory (page 3). */
export const patientsRoutes: ServiceRoutes = async () => undefined;
