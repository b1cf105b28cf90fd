import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ArticleBook } from './articles.js';
import type { Config } from './config.js';
import { Feed } from './feed.js';
import { OrderBook } from './orders.js';
import { PriceBook } from './prices.js';
import { Faults, type FaultKind } from './faults.js';

/** A received call, as `GET /_sandbox/requests` shows it. */
interface RequestEntry {
  target: string;
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** null without an answer (`drop`, `hang`). */
  status: number | null;
  responseBody: unknown;
  fault: FaultKind | null;
  /** Time of arrival, ISO 8601. */
  at: string;
  test?: true;
}

/** A message to a person, as `GET /_sandbox/messages` shows it. */
interface Message {
  channel: 'email' | 'sms' | 'chat' | 'crm';
  /** The Message-ID of an e-mail, which identifies repeats. */
  id?: string | undefined;
  to: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  at: string;
}

/** The selector of messages: an address or number in lower case. */
export const mailbox = (to: string | null): string => to?.toLowerCase() ?? '';

/** State that all external services share. */
export interface Outside {
  config: Config;
  faults: Faults;
  requests: Feed<RequestEntry>;
  messages: Feed<Message>;
  orders: OrderBook;
  articles: ArticleBook;
  prices: PriceBook;
  ledgerFile: (name: string) => string;
  /** The path of any other file of an external service. */
  dataFile: (name: string) => string;
}

/** An external service. It starts and stops its own servers beside HTTP. */
export interface Party {
  /** The name in faults and records. */
  target: string;
  /** Base paths of its HTTP routes; none for other protocols. */
  prefixes: readonly string[];
  /** Adds its routes below a prefix; each route's config names its operation. */
  routes: (scope: FastifyInstance) => void;
  /** Adds its own calls of the control API, below `/_sandbox`. */
  control?: (scope: FastifyInstance) => void;
  /** An error in the service's format, for faults and unknown paths. */
  errorBody: (status: number, message: string) => unknown;
  /** Listens on its own port and returns it. */
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
    articles: new ArticleBook(ledgerFile('articles')),
    prices: new PriceBook(ledgerFile('prices')),
    ledgerFile,
    dataFile,
  };
}
