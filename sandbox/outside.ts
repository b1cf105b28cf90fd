import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.js';
import { Feed } from './feed.js';
import { OrderBook } from './orders.js';
import { Faults, type FaultKind } from './faults.js';

/** One call that a party received, as `GET /_sandbox/requests` shows it. */
interface RequestEntry {
  target: string;
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** null when no answer was meant to be given (`drop`, `hang`). */
  status: number | null;
  responseBody: unknown;
  fault: FaultKind | null;
  /** When the call arrived, ISO 8601. */
  at: string;
  test?: true;
}

/** Something a person would have received, as `GET /_sandbox/messages` shows it. */
interface Message {
  channel: 'email' | 'sms' | 'chat' | 'crm';
  /** The Message-ID of a mail, by which a mailbox knows a repeat. */
  id?: string | undefined;
  to: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  at: string;
}

/** What messages are selected by: an address or number, in any case of its letters. */
export const mailbox = (to: string | null): string => to?.toLowerCase() ?? '';

/** What all parties share. */
export interface Outside {
  config: Config;
  faults: Faults;
  requests: Feed<RequestEntry>;
  messages: Feed<Message>;
  orders: OrderBook;
  /** The path of a ledger file of that name. */
  ledgerFile: (name: string) => string;
  /** The path of any file of a party's own. */
  dataFile: (name: string) => string;
}

/** An outside party. What it needs beyond HTTP it starts and stops itself. */
export interface Party {
  /** Its name in faults and in recorded requests. */
  target: string;
  /** Base paths of its HTTP routes; none for a party that speaks something else. */
  prefixes: readonly string[];
  /** Adds its routes below a prefix; each names its operation in the route's config. */
  routes: (scope: FastifyInstance) => void;
  /** Adds its own part of the control API, below `/_sandbox`. */
  control?: (scope: FastifyInstance) => void;
  /** An error as this party words it, for faults and unknown paths. */
  errorBody: (status: number, message: string) => unknown;
  /** Listens on a port of its own and answers its number. */
  listen?: () => Promise<number>;
  close?: () => Promise<void>;
}

const REQUESTS_HELD = 10_000;
const MESSAGES_HELD = 50_000;

/** Opens the shared ledgers below the data directory. */
export function openOutside(config: Config): Outside {
  const dataFile = (name: string): string => join(config.SANDBOX_DATA_DIR, name);
  const ledgerFile = (name: string): string => dataFile(`${name}.jsonl`);
  return {
    config,
    faults: new Faults(),
    requests: new Feed(ledgerFile('requests'), (entry) => entry.target, REQUESTS_HELD),
    messages: new Feed(ledgerFile('messages'), ({ to }) => mailbox(to), MESSAGES_HELD),
    orders: new OrderBook(ledgerFile('orders')),
    ledgerFile,
    dataFile,
  };
}
