import type { Config } from '../platform/config.js';
import { InvalidField } from './http-errors.js';

/**
 * In production what a receiver is told of patients is encrypted on its way (D89), unless the operator lists the receiver
 * among their private hosts.
 * @param field that names the receiver
 * @throws InvalidField for any other http URL
 */
export function requireTls(
  field: string,
  address: string,
  { NODE_ENV }: Pick<Config, 'NODE_ENV'>,
  { CALLBACK_PRIVATE_HOSTS: privateHosts }: { CALLBACK_PRIVATE_HOSTS: readonly string[] },
): void {
  const { protocol, hostname, port } = new URL(address);
  if (NODE_ENV !== 'production' || protocol === 'https:') return;
  if (!privateHosts.includes(`${hostname.toLowerCase()}:${port || '80'}`))
    throw new InvalidField(field, 'must be an https URL');
}
