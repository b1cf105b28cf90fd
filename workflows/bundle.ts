import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import * as workflows from './index.js';
import { versioning } from './versioning.js';

/** The module that workers load: all workflows with their versioning. */
export * from './index.js';

for (const name of Object.keys(versioning) as (keyof typeof versioning)[])
  setWorkflowOptions(
    // The server rejects a behavior from a worker that has no version.
    () =>
      workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: versioning[name] } : {},
    workflows[name] as () => Promise<unknown>,
  );
