import type { App } from '../context.js';
import { servePage } from '../pages.js';

/** The desk at `/` (D110): one file; nothing of anybody stands on it before signing in. */
export const deskRoutes = (app: App): void =>
  servePage(app, new URL('desk.html', import.meta.url), 'the empty page');
