import { showProgress } from '../../dev/progress.js';
import { resolveTestServer } from '../../dev/tools/test-server.js';
import { workflowBundle } from '../../workers/bundle.js';

/** Where the test files find what was prepared once for all of them. */
export async function prepareRules(): Promise<void> {
  const [testServer, bundle] = await Promise.all([
    resolveTestServer(showProgress(process.stderr)),
    workflowBundle(),
  ]);
  process.env['SCRIPTRAIL_TEST_SERVER'] = testServer;
  process.env['SCRIPTRAIL_TEST_BUNDLE'] = bundle;
}
