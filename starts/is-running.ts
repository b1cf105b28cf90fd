import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** Whether a workflow has an open run, which can still close the record that stands for it. */
export async function isRunning(temporal: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
