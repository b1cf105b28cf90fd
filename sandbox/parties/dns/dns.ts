import { createSocket, type RemoteInfo } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTHORITATIVE_ANSWER, decode, encode, RECURSION_DESIRED, type Packet } from 'dns-packet';
import type { Fault } from '../../faults.js';
import { now } from '../../ledger.js';
import type { Outside, Party } from '../../outside.js';
import { DnsRecords, recordSet } from './records.js';

/** Response codes of RFC 1035. */
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/** UDP has no connection, so `drop`, `lost-answer` and `hang` all leave a query unanswered. */
const isSilent = (fault: Fault | undefined): boolean =>
  fault !== undefined && fault.kind !== 'status' && fault.kind !== 'delay';

/** A name server on UDP with the given records. `status` in records is the response code. */
export function createDns(outside: Outside): Party {
  const { config, faults, requests } = outside;
  const records = new DnsRecords(outside.ledgerFile('dns'));
  const socket = createSocket(config.HOST.includes(':') ? 'udp6' : 'udp4');

  const receive = async (bytes: Buffer, from: RemoteInfo): Promise<void> => {
    const query = read(bytes);
    const question = query?.questions?.[0];
    if (!query || !question) return;
    const at = now();
    const fault = faults.take('dns', 'query');
    if (fault?.kind === 'delay') await sleep(fault.delayMs, undefined, { ref: false });

    const answers = records.answer(question);
    const code = fault?.kind === 'status' ? SERVER_FAILURE : answers ? NO_ERROR : NO_SUCH_NAME;
    const given = code === NO_ERROR ? (answers ?? []) : [];
    const status = isSilent(fault) ? null : code;
    requests.add({
      target: 'dns',
      operation: 'query',
      method: question.type,
      path: question.name,
      headers: {},
      body: null,
      status,
      responseBody:
        status === null ? null : given.map(({ name, type, ...rest }) => ({ name, type, ...valueOf(rest) })),
      fault: fault?.kind ?? null,
      at,
    });
    if (status === null) return;
    const reply = encode({
      type: 'response',
      id: query.id,
      flags: AUTHORITATIVE_ANSWER | ((query.flags ?? 0) & RECURSION_DESIRED) | code,
      questions: [question],
      answers: given,
    });
    socket.send(reply, from.port, from.address);
  };
  socket.on('message', (bytes, from) => void receive(bytes, from));

  return {
    target: 'dns',
    prefixes: [],
    routes: () => undefined,
    errorBody: () => null,
    control: (scope) => {
      scope.get('/dns', () => ({ records: records.list() }));
      scope.post('/dns', (request, reply) => {
        const set = recordSet.parse(request.body);
        records.set(set);
        return reply.code(201).send({ record: set });
      });
      scope.delete('/dns', () => {
        records.clear();
        return { ok: true };
      });
    },
    listen: () =>
      new Promise((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ port: config.SANDBOX_DNS_PORT, address: config.HOST, exclusive: true }, () => {
          socket.off('error', reject);
          // A client that leaves before its answer is no error.
          socket.on('error', () => undefined);
          resolve(socket.address().port);
        });
      }),
    close: async () => {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      records.close();
    },
  };
}

/** Ignores bytes that are no query. */
function read(bytes: Buffer): Packet | undefined {
  try {
    const packet = decode(bytes);
    return packet.type === 'query' ? packet : undefined;
  } catch {
    return undefined;
  }
}

/** A record's value as text for the log of calls. */
function valueOf(answer: object): { value?: string } {
  if (!('data' in answer)) return {};
  const { data } = answer;
  if (Array.isArray(data)) return { value: Buffer.concat(data as Buffer[]).toString() };
  return { value: String(data) };
}
