import type { coresdk } from '@temporalio/proto';
import {
  getCurrentDetails,
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';

type Command = coresdk.workflow_commands.IWorkflowCommand;

export interface CommandSinks extends Sinks {
  commands: {
    /** What the workflow decided in one go, and its current details by then. */
    decided: (commands: Command[], currentDetails: string) => void;
  };
}

const { commands: sink } = proxySinks<CommandSinks>();

// Where a failure was thrown is of no interest to a replay, and names folders of the machine it was recorded on.
Error.stackTraceLimit = 0;

/** Bundled beside the product's interceptors: tells the outside what a workflow decides. It changes nothing. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  internals: [
    {
      concludeActivation(input, next) {
        sink.decided([...input.commands], getCurrentDetails());
        return next(input);
      },
    },
  ],
});
