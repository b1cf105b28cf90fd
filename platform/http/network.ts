import ipaddr from 'ipaddr.js';

/** The unit that limits count for an address: an IPv6 address counts with its /64, which one caller commands (D165). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString();
}
