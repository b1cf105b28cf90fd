import { errorCodes, isErrorCode } from '../../api/error-codes.js';
import { type OpenApiDocument, operationsIn } from '../../api/openapi/document.js';

interface Asked {
  /** Address of the service. */
  service: string;
  method: string;
  path: string;
}

const pages = new Map<string, Promise<OpenApiDocument>>();
const pageOf = (service: string): Promise<OpenApiDocument> => {
  const page =
    pages.get(service) ??
    fetch(`${service}/openapi.json`).then(async (answer) => (await answer.json()) as OpenApiDocument);
  pages.set(service, page);
  return page;
};

/** @throws if an error answer lacks the headers of D139, or has a code that its page does not list */
export async function checkErrorHeaders(asked: Asked, { status, headers }: Response): Promise<void> {
  if (status < 400) return;
  const [code, retryable] = [headers.get('error-code'), headers.get('error-retryable')];
  const at = `${asked.method} ${asked.path} answered ${status}`;
  if (!isErrorCode(code)) throw new Error(`${at} with the error code ${String(code)}`);
  if (!(errorCodes[code].statuses as readonly number[]).includes(status))
    throw new Error(`${at}, which ${code} never has`);
  const isRetryable = [408, 425, 429, 503].includes(status) || 'isRetryable' in errorCodes[code];
  if (retryable !== String(isRetryable)) throw new Error(`${at} with Error-Retryable ${String(retryable)}`);
  const listed = listedIn(await pageOf(asked.service), asked, status);
  if (listed && !listed.includes(code))
    throw new Error(`${at} with ${code}, its page lists ${listed.join(', ')}`);
}

/** The codes of a documented answer; undefined if the page has no such route or status. */
function listedIn(page: OpenApiDocument, { method, path }: Asked, status: number): string[] | undefined {
  const [plain = ''] = path.split('?');
  const found = operationsIn(page)
    .filter((one) => one.method === method.toLowerCase() && patternOf(one.path).test(plain))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  const header = found?.operation.responses[String(status)]?.headers?.['Error-Code'];
  return (header as { schema: { enum: string[] } } | undefined)?.schema.enum;
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
