import { chmodSync, mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { searchAttributeTypes } from '../../domain/search-attributes.js';
import { inheritedEnvironment } from './environment.js';
import type { ChildSpec } from './supervisor.js';

const flagTypes = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DATETIME: 'Datetime' } as const;

/**
 * By default, the server delays every task by 50 ms, has no strict priorities, and rereads search attributes on each
 * use. Those reads are half of all reads of an approval.
 */
const dynamicConfig = [
  'history.transferProcessorMaxPollRPS=5000',
  'system.enableActivityEagerExecution=true',
  'matching.useNewMatcher=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  'frontend.WorkerHeartbeatsEnabled=true',
  'frontend.ListWorkersEnabled=true',
];

/** By default, every commit waits for the disk. With a write-ahead log, a kill loses nothing either. */
const pragmas = ['journal_mode=wal', 'synchronous=normal'];

export function temporalSpec(options: {
  cli: string;
  databaseFile: string;
  host: string;
  port: number;
  uiPort: number;
  codecEndpoint: string;
}): ChildSpec {
  // The server makes its files readable for everyone, so only the owner may enter the folder.
  const folder = dirname(options.databaseFile);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const repeated = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  const searchAttributes = Object.entries(searchAttributeTypes).map(
    ([name, type]) => `${name}=${flagTypes[type]}`,
  );
  return {
    name: 'temporal',
    command: options.cli,
    args: [
      ...['server', 'start-dev', '--log-level', 'warn'],
      ...['--ip', options.host, '--port', String(options.port), '--ui-port', String(options.uiPort)],
      ...['--db-filename', options.databaseFile, '--ui-codec-endpoint', options.codecEndpoint],
      ...repeated('--sqlite-pragma', pragmas),
      ...repeated('--dynamic-config-value', dynamicConfig),
      ...repeated('--search-attribute', searchAttributes),
    ],
    env: inheritedEnvironment(),
    ready: () => listens(options.host, options.port),
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  };
}

const listens = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
