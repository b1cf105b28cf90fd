/** Longer addresses, and longer names before the `@`, do not exist (RFC 5321). */
export const maxEmailCharacters = 254;
export const maxLocalCharacters = 64;

/** The characters of RFC 5322's `atext`; quoted names are legal and reach nobody. */
const local = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Letters of any alphabet: an internationalized name has an ASCII form. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
const topLabel = /^(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/;

/**
 * An e-mail address as mail servers take it: without blanks around it, and with an internationalized domain in its
 * ASCII form (D150). Undefined for a text that is no address. The length is judged before any expression sees it.
 */
export function emailOf(text: string): string | undefined {
  // Line breaks stay, so that they are rejected: they could end a header.
  const address = /[\r\n]/.test(text) ? text : text.trim();
  if (address.length > maxEmailCharacters) return undefined;
  const at = address.lastIndexOf('@');
  const name = address.slice(0, Math.max(at, 0));
  const domain = asciiDomain(address.slice(at + 1));
  if (name.length > maxLocalCharacters || !local.test(name) || domain === undefined) return undefined;
  const ascii = `${name}@${domain}`;
  return ascii.length > maxEmailCharacters ? undefined : ascii;
}

function asciiDomain(domain: string): string | undefined {
  if (!domainCharacters.test(domain)) return undefined;
  const ascii = /^[\w.-]*$/.test(domain) ? domain : punycodeOf(domain);
  const labels = ascii?.toLowerCase().split('.') ?? [];
  const isDomain =
    labels.length > 1 && labels.every((part) => label.test(part)) && topLabel.test(labels.at(-1) ?? '');
  return isDomain ? ascii : undefined;
}

function punycodeOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

/** Equal for two spellings of one address (D61). */
export const emailKey = (text: string): string => (emailOf(text) ?? text.trim()).toLowerCase();
