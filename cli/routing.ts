import { Argument, type Command } from 'commander';
import { pharmacies } from '../domain/pharmacies.js';
import { ask, type Entry, printList } from './lists.js';
import { readInteger } from './values.js';

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
    .description('list all routes or those of a state, the one in use first')
    .option('--json', 'print JSON')
    .action(async (state: string | undefined, { json }: { json?: true }) => {
      const path = state === undefined ? '/rx/routing' : `/rx/routing/${encodeURIComponent(state)}`;
      const { routes } = await ask<{ routes: Entry[] }>({ ...call, path });
      const columns = { State: 'state', Pharmacy: 'pharmacy', Priority: 'priority', Active: 'isActive' };
      printList(routes, columns, json);
    });
  routing
    .command('set <state>')
    .description('add or replace the route of a state and pharmacy')
    .addArgument(new Argument('<pharmacy>').choices(pharmacies))
    .requiredOption('--priority <n>', 'the highest active one wins', readInteger)
    .option('--inactive', 'keep the route, but do not use it')
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
