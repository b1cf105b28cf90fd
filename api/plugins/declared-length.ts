import type { App } from '../context.js';
import { standardError } from '../errors.js';

/**
 * Rejects a declared length over the limit (413) before the caller is authenticated (D95). Register it before the
 * authentication. One that does not say so is cut off as it is read.
 */
export function rejectDeclaredLength(app: App): void {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    if (Number(headers['content-length']) > routeOptions.bodyLimit) done(standardError(413));
    else done();
  });
}
