import type { App } from '../context.js';
import { standardError } from '../errors.js';

/**
 * 413 for a body that says itself that it is too long, before anybody is asked who they are (D95); to be registered
 * before what asks them. One that does not say so is cut off as it is read.
 */
export function rejectDeclaredLength(app: App): void {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    if (Number(headers['content-length']) > routeOptions.bodyLimit) done(standardError(413));
    else done();
  });
}
