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
    /** The workflow's decisions of one task, and its current details by then. */
    decided: (commands: Command[], currentDetails: string) => void;
  };
}

// Nobody reads stack traces here. The SDK would take one for each promise, and a thrown one names folders.
Error.stackTraceLimit = 0;

const { commands: sink } = proxySinks<CommandSinks>();

/** Bundled beside the product's interceptors: reports what a workflow decides, and changes nothing of it. */
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
