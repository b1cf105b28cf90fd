// Not from the package's index: see connection.ts.
import { DefaultLogger } from '@temporalio/worker/lib/logger.js';
import { Runtime } from '@temporalio/worker/lib/runtime.js';
import { makeTelemetryFilterString } from '@temporalio/worker/lib/runtime-options.js';
import { allowedOf, type Logger } from '../logger.js';

/** Sends the SDK's own log through ours and leaves signals to the process. Call once, before any connection. */
export function installRuntime(logger: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, meta }) => {
      const { error, ...fields } = meta ?? {};
      const line = allowedOf({ ...fields, ...(error === undefined ? {} : { err: error as unknown }) });
      if (level === 'ERROR') logger.error(line, 'temporal');
      else logger.warn(line, 'temporal');
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
    },
  });
}
