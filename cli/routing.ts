import { Argument, type Command, InvalidArgumentError } from 'commander';
import { pharmacies } from '../domain/pharmacies.js';
import { ask, printList } from './lists.js';

interface Route {
  state: string;
  pharmacy: string;
  priority: number;
  isActive: boolean;
}

const call = { service: 'router', key: 'admin' } as const;

/** `rx routing`: which pharmacy serves which state (D27). */
export function addRoutingCommand(program: Command): void {
  const routing = program.command('routing').description('routes from states to pharmacies');
  routing
    .command('list [state]')
    .description('all routes, or those of a state, the one in force first')
    .option('--json', 'print JSON')
    .action(async (state: string | undefined, { json }: { json?: true }) => {
      const path = state === undefined ? '/rx/routing' : `/rx/routing/${encodeURIComponent(state)}`;
      const { routes } = await ask<{ routes: Route[] }>({ ...call, method: 'GET', path });
      printList(
        routes,
        {
          State: ({ state }) => state,
          Pharmacy: ({ pharmacy }) => pharmacy,
          Priority: ({ priority }) => String(priority),
          Active: ({ isActive }) => (isActive ? 'yes' : 'no'),
        },
        json,
      );
    });
  routing
    .command('set <state>')
    .description('add or replace the route of a state and pharmacy')
    .addArgument(new Argument('<pharmacy>').choices(pharmacies))
    .requiredOption('--priority <n>', 'the highest active one wins', readInteger)
    .option('--inactive', 'keep it, but choose it no more')
    .action(async (state: string, pharmacy: string, options: { priority: number; inactive?: true }) => {
      const { priority, inactive } = options;
      const { route } = await ask<{ route: Route }>({
        ...call,
        method: 'PUT',
        path: `/rx/routing/${encodeURIComponent(state)}`,
        body: JSON.stringify({ pharmacy, priority, isActive: inactive !== true }),
      });
      const isIn = route.isActive ? 'active' : 'inactive';
      console.log(`${route.state} to ${route.pharmacy}, priority ${route.priority}, is ${isIn}.`);
    });
}

function readInteger(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}
