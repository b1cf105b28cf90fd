import { Argument, type Command } from 'commander';
import { type ServiceName, serviceNames } from '../platform/service-names.js';
import { callService, type Method, pretty } from './call-service.js';
import { readSystem } from './system.js';

/** `rx call <service> <METHOD> <path> [json]`: any request, signed with a fitting key. */
export function addCallCommand(program: Command): void {
  program
    .command('call')
    .description('send a signed request to a service and print the answer')
    .addArgument(new Argument('<service>').choices(serviceNames))
    .addArgument(new Argument('<METHOD>').choices(['GET', 'POST', 'PUT', 'DELETE']))
    .argument('<path>', 'with the query, as /route?platform=platform_a&state=NY')
    .argument('[json]', 'the body, signed and sent as it is')
    .option('--key <name>', 'the API key of the system to sign with')
    .action(
      async (
        service: ServiceName,
        method: Method,
        path: string,
        body: string | undefined,
        { key }: { key?: string },
      ) => {
        const answer = await callService(readSystem(), { service, method, path, body, key });
        console.log(answer.status);
        console.log(pretty(answer.body));
        if (answer.status >= 400) process.exitCode = 1;
      },
    );
}
