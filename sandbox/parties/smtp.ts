import type { Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { FAULT_TEXT } from '../exchange.js';
import { now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';

const CLOSE_TIMEOUT_MS = 100;

/** A mail server that keeps every e-mail and delivers none. A fault applies after the whole e-mail has arrived. */
export function createSmtp({ config, faults, messages, requests }: Outside): Party {
  const sockets = new Map<number, Socket>();

  /** Returns the reply code; null for no answer. */
  const receive = async (raw: Buffer, session: SMTPServerSession): Promise<number | null> => {
    const at = now();
    const mail = await PostalMime.parse(raw);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
    const fault = headers['x-sandbox-bypass'] === '1' ? undefined : faults.take('smtp', 'send', to);
    if (fault?.kind === 'delay') await sleep(fault.delayMs, undefined, { ref: false });
    const socket = sockets.get(session.remotePort);
    if (fault?.kind === 'hold' && socket) await faults.hold(fault, socket);

    const content = { subject: mail.subject ?? null, text: mail.text ?? null, html: mail.html ?? null };
    const unanswered = fault?.kind === 'drop' || fault?.kind === 'hang';
    const status = unanswered ? null : fault?.kind === 'status' ? fault.status : 250;
    if (status === 250) messages.add({ channel: 'email', id: headers['message-id'], to, ...content, at });
    requests.add({
      target: 'smtp',
      operation: 'send',
      method: 'SMTP',
      path: '/',
      headers,
      body: { from: session.envelope.mailFrom ? session.envelope.mailFrom.address : null, to, ...content },
      status,
      responseBody: null,
      fault: fault?.kind ?? null,
      at,
    });
    if (fault?.kind === 'drop' || fault?.kind === 'lost-answer') sockets.get(session.remotePort)?.destroy();
    return fault?.kind === 'lost-answer' ? null : status;
  };

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        receive(Buffer.concat(chunks), session).then(
          (code) => {
            if (code === null) return;
            if (code === 250) answer(null);
            else answer(Object.assign(new Error(FAULT_TEXT), { responseCode: code }));
          },
          () => answer(Object.assign(new Error('The mail cannot be read'), { responseCode: 554 })),
        );
      });
    },
  });
  server.server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.on('close', () => sockets.delete(remotePort));
  });
  // A client that disconnects is no error.
  server.on('error', () => undefined);

  return {
    target: 'smtp',
    prefixes: [],
    routes: () => undefined,
    errorBody: () => null,
    listen: () =>
      new Promise((resolve, reject) => {
        server.server.once('error', reject);
        server.listen(config.SANDBOX_SMTP_PORT, config.HOST, () =>
          resolve((server.server.address() as AddressInfo).port),
        );
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
