import type { App } from '../context.js';
import { servePage } from '../pages.js';

/**
 * The intake form at `/`, for development: one file that works from any allowed origin, told where the gateway is by
 * `?api=` or its meta tag.
 */
export const formRoutes = (app: App): void =>
  servePage(app, new URL('form.html', import.meta.url), 'the form');
