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
    /** The workflow's decisions of one activation, and its current details where they changed. */
    decided: (commands: Command[], currentDetails: string | undefined) => void;
  };
}

// Nobody reads stack traces here. The SDK would take one for each promise, and a thrown one names folders.
Error.stackTraceLimit = 0;

const { commands: sink } = proxySinks<CommandSinks>();

/** Bundled beside the product's interceptors: reports what a workflow decides, and changes nothing of it. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let told = '';
  return {
    internals: [
      {
        concludeActivation(input, next) {
          const details = getCurrentDetails();
          const changed = details === told ? undefined : details;
          if (input.commands.length > 0 || changed !== undefined) sink.decided([...input.commands], changed);
          told = details;
          return next(input);
        },
      },
    ],
  };
};
