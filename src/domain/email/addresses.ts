const ADDRESS_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
/** Characters that end or divide an address in the header of an email; blanks and control characters do so too. */
const LOCAL = /^[^\s\p{C}<>()[\]\\,;:"@]+$/u;
const DOMAIN = /^(?!-)[\p{L}\p{N}-]+(?<!-)(\.(?!-)[\p{L}\p{N}-]+(?<!-))*$/u;
const EVERYBODY_AT = '*@';

/** Whether a text is an address to which an email can be sent, such as `ada@acme.com`, without a name beside it. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return (
    at > 0 &&
    text.length <= ADDRESS_LENGTH_MAX &&
    local.length <= LOCAL_LENGTH_MAX &&
    LOCAL.test(local) &&
    DOMAIN.test(text.slice(at + 1))
  );
}

/** Whether a text is a pattern of addresses: an address, or `*@acme.com` for all of a domain. */
export function isAddressPattern(text: string): boolean {
  return text.startsWith(EVERYBODY_AT) ? DOMAIN.test(text.slice(EVERYBODY_AT.length)) : isAddress(text);
}

/** Whether an address is one of a pattern, in capitals or not. `*@acme.com` has none of mail.acme.com. */
export function patternMatches(pattern: string, address: string): boolean {
  const [wanted, sent] = [pattern.toLowerCase(), address.toLowerCase()];
  if (!wanted.startsWith(EVERYBODY_AT)) return wanted === sent;
  return sent.slice(sent.lastIndexOf('@') + 1) === wanted.slice(EVERYBODY_AT.length);
}

/** The addresses of a customer: those for bills, or else the customer's own; none if that is no address. */
export function recipientsOf({
  billing_emails,
  email,
}: {
  billing_emails: readonly string[];
  email: string | null;
}): string[] {
  if (billing_emails.length > 0) return [...billing_emails];
  return email !== null && isAddress(email) ? [email] : [];
}

/** The addresses to which test data may leave: those of a pattern. */
export function testRecipientsOf(addresses: readonly string[], patterns: readonly string[]): string[] {
  return addresses.filter((address) => patterns.some((pattern) => patternMatches(pattern, address)));
}
