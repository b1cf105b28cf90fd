import type { Command } from 'commander';
import { ask, printList } from './lists.js';

interface Callback {
  id: string;
  kind: string;
  state: string;
  attempts: { at: string; status: number | null; error: string | null }[];
  nextAttemptAt: string | null;
}

const pathOf = (submissionId: string): string =>
  `/rx/prescriptions/${encodeURIComponent(submissionId)}/callbacks`;

/** `rx callbacks`: what the client of a submission was told (D26, D27). A client's key reads its own only. */
export function addCallbacksCommand(program: Command): void {
  const callbacks = program.command('callbacks').description("a submission's callbacks");
  callbacks
    .command('list <submissionId>')
    .description('in the order of their delivery')
    .option('--key <name>', 'the API key of the system whose submission it is', 'orchestrator')
    .option('--json', 'print JSON')
    .action(async (submissionId: string, { key, json }: { key: string; json?: true }) => {
      const call = { service: 'router', key, method: 'GET', path: pathOf(submissionId) } as const;
      const { callbacks: all } = await ask<{ callbacks: Callback[] }>(call);
      printList(
        all,
        {
          Callback: ({ id }) => id,
          Kind: ({ kind }) => kind,
          State: ({ state }) => state,
          Attempts: ({ attempts }) => String(attempts.length),
          'Latest error': ({ attempts }) => attempts.at(-1)?.error ?? '-',
          'Next attempt': ({ nextAttemptAt }) => nextAttemptAt ?? '-',
        },
        json,
      );
    });
  callbacks
    .command('redeliver <submissionId> <callbackId>')
    .description('send a callback at once, also a dead or a delivered one')
    .option('--key <name>', 'the API key of the system whose submission it is', 'orchestrator')
    .action(async (submissionId: string, callbackId: string, { key }: { key: string }) => {
      const path = `${pathOf(submissionId)}/${encodeURIComponent(callbackId)}/redeliver`;
      await ask({ service: 'router', key, method: 'POST', path });
      console.log(`Callback ${callbackId} is on its way; rx callbacks list shows how it went.`);
    });
}
