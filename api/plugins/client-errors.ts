import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { codeOfStatus, errorHeaders } from '../error-codes.js';

const errors: Readonly<Record<string, { status: number; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'Client Timeout' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'Exceeded maximum allowed HTTP header size' },
};

/** Answers malformed and slow requests like the framework, with the headers of D139. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, message } = errors[error.code ?? ''] ?? { status: 400, message: 'Client Error' };
  const text = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ error: text, message, statusCode: status });
  const headers = {
    'Content-Length': String(body.length),
    'Content-Type': 'application/json',
    ...errorHeaders(status, codeOfStatus(status)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${text}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}
