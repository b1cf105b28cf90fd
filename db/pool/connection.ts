import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import postgres from 'postgres';

export type Ask<T = unknown> = (sql: postgres.Sql) => PromiseLike<T>;

export type Address = { host: string; port: number } | { path: string };
export type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;
type Tls = postgres.ParsedOptions['ssl'];

/** One open connection. At most one caller may use it at a time. */
export interface Connection {
  /** Why the connection was lost; undefined while it is open. */
  readonly lost: Error | undefined;
  /** Calls back once when the connection is lost, or now if it already is. @returns removes the listener */
  onLost: (listener: (error: Error) => void) => () => void;
  /** Waits for one answer. Ask nothing else until then. Rejects as soon as the connection is lost. */
  ask: <T>(request: Ask<T>) => Promise<T>;
  /** Closes the connection in order. Nothing may be running on it. */
  end: () => Promise<void>;
  /** Cuts the connection at once. */
  drop: () => void;
}

interface Opening {
  address: Address;
  /** Covers everything until the first answer: name lookup, TCP, TLS, login. */
  withinMs: number;
  /** Makes the connection listen on this channel. */
  channel?: string;
  onPayload?: (payload: string) => void;
}

export function connectionError(code: string, address: Address): Error {
  const place = 'path' in address ? address.path : `${address.host}:${address.port}`;
  return Object.assign(new Error(`${code} ${place}`), { code });
}

/** The driver cannot know the host of a socket that we open, and would accept a certificate for `localhost`. */
function tlsFor(host: string, tls: Tls): Tls {
  // With `prefer`, the driver itself decides whether to continue without TLS.
  if (!tls || tls === 'prefer') return tls;
  const isUnverified = tls === 'require' || tls === 'allow';
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(isUnverified && { rejectUnauthorized: false }),
    ...(typeof tls === 'object' && tls),
  };
}

/**
 * Opens one connection with an instance of the driver of its own, which never connects again. After a loss the driver
 * keeps timers, errors and half-read rows, and its next connection would inherit them.
 * @param driver options of the driver, and what the URL says about TLS
 */
export async function openConnection(
  url: string,
  { ssl, ...driver }: DriverOptions & { ssl: Tls },
  { address, withinMs, channel, onPayload }: Opening,
): Promise<Connection> {
  let socket: Socket | undefined;
  let lost: Error | undefined;
  let isOpen = false;
  let rejectRunning: ((error: Error) => void) | undefined;
  const listeners = new Set<(error: Error) => void>();

  function lose(error: Error): void {
    if (lost) return;
    lost = error;
    rejectRunning?.(error);
    for (const listener of listeners) listener(error);
  }

  function drop(): void {
    lose(connectionError('CONNECTION_DESTROYED', address));
    socket?.destroy();
  }

  /** Called by the driver. A second call would be its attempt to reconnect; the error makes it give up. */
  async function openSocket(): Promise<Socket> {
    if (socket ?? lost) throw lost ?? connectionError('CONNECTION_CLOSED', address);
    socket = connect(address);
    // The driver attaches its listener too late for an error that the connect call reports at once.
    await once(socket, 'connect');
    return socket;
  }

  // The package's types lack these two.
  const untyped = {
    socket: openSocket,
    onnotify: (_channel: string, payload: string) => onPayload?.(payload),
  };
  const sql = postgres(url, {
    ...driver,
    // Exactly one host: with several, the driver waits for the next one and reports no error.
    ...('host' in address && { ...address, ssl: tlsFor(address.host, ssl) }),
    max: 1,
    // If the connection is lost during this query, the driver ends the process.
    fetch_types: false,
    // Between two statements of a transaction the connection looks idle to the driver, which would close it there.
    idle_timeout: 0,
    max_lifetime: null,
    // It starts only after the TCP connection is open; `withinMs` covers everything.
    connect_timeout: 0,
    // A statement on a closed connection fails at once.
    backoff: false,
    onclose: () => lose(connectionError('CONNECTION_CLOSED', address)),
    ...untyped,
  });

  const ask = <T>(request: Ask<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost) throw lost;
      // Between the `error` and the `close` of its socket, the driver accepts statements and never answers them.
      const fail: (error: Error) => void = reject;
      rejectRunning = fail;
      request(sql).then(resolve, (error: unknown) => {
        const pass = () => fail(error as Error);
        // Only an error from Postgres proves that the statement is over. After any other (a parameter that cannot be
        // written), wait for one more answer: the driver would give the next statement's error to this one.
        if (isOpen && !(error instanceof postgres.PostgresError)) sql.unsafe('').then(pass, pass);
        else pass();
      });
    });

  const overdue = setTimeout(() => lose(connectionError('CONNECT_TIMEOUT', address)), withinMs);
  try {
    // The connection counts as open after its first answer.
    await ask((sql) => sql.unsafe(channel === undefined ? '' : `listen "${channel.replaceAll('"', '""')}"`));
    isOpen = true;
  } catch (error) {
    drop();
    throw error;
  } finally {
    clearTimeout(overdue);
  }

  return {
    get lost() {
      return lost;
    },
    onLost: (listener) => {
      if (lost) listener(lost);
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask,
    // In a silent network the driver would wait for ever, and the socket would keep the process alive.
    end: () => sql.end({ timeout: 1 }).then(drop),
    drop,
  };
}
