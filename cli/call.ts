import { Argument, type Command } from 'commander';
import { type ServiceName, serviceNames } from '../platform/service-names.js';
import { callAndPrint, type Method } from './call-service.js';

/** `rx call <service> <METHOD> <path> [json]`: any signed request. */
export function addCallCommand(program: Command): void {
  program
    .command('call')
    .description('send a signed request to a service and print the answer')
    .addArgument(new Argument('<service>').choices(serviceNames))
    .addArgument(new Argument('<METHOD>').choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
    .argument('<path>', 'with the query, such as /route?platform=platform_a&state=NY')
    .argument('[json]', 'the body, which is signed and sent unchanged')
    .option('--key <name>', "name of an API key in the system's description")
    .action(
      (
        service: ServiceName,
        method: Method,
        path: string,
        body: string | undefined,
        { key }: { key?: string },
      ) => callAndPrint({ service, method, path, body, key }),
    );
}
