/** The code of a mail server's answer, null without an answer, and its text or that of the error. */
export type SmtpAnswer = { code: number | null; text: string };

/** An address of an email, and the server's last answer about it. */
export type Recipient = {
  address: string;
  status: 'queued' | 'sent' | 'refused';
  response: string | null;
};

/** The end of one try: `sent` for one address at least, `refused` for all, or `queued` for another try. */
export type Fate = { status: 'queued' | 'sent' | 'refused'; to: Recipient[] };

/** The answers of one try: about the message, and about each address that the server did not take. */
export type TryAnswers = { message: SmtpAnswer; not_taken: ReadonlyMap<string, SmtpAnswer> };

/**
 * The fate of an email after a try. A 5xx about an address refuses it for good, about the message the whole email; a
 * 4xx or no answer leaves a try. Once the message is taken nothing is tried again, so an address that was to wait is
 * refused then.
 */
export function fateOf(to: readonly Recipient[], { message, not_taken }: TryAnswers): Fate {
  const is_taken = (recipient: Recipient) =>
    recipient.status === 'queued' && !not_taken.has(recipient.address);
  const is_sent = isIn(message, 2) && to.some(is_taken);
  const after = to.map((recipient): Recipient => {
    if (recipient.status !== 'queued') return recipient;
    const answer = not_taken.get(recipient.address) ?? message;
    return {
      ...recipient,
      status: statusOf(answer, { is_sent, is_taken: is_taken(recipient) }),
      response: answer.text,
    };
  });
  if (is_sent) return { status: 'sent', to: after };
  return { status: after.every(({ status }) => status === 'refused') ? 'refused' : 'queued', to: after };
}

/** Recipients of the next try: those that no server has refused. */
export function openRecipientsOf(to: readonly Recipient[]): string[] {
  return to.filter(({ status }) => status === 'queued').map(({ address }) => address);
}

function statusOf(
  answer: SmtpAnswer,
  { is_sent, is_taken }: { is_sent: boolean; is_taken: boolean },
): Recipient['status'] {
  if (is_sent) return is_taken ? 'sent' : 'refused';
  return isIn(answer, 5) ? 'refused' : 'queued';
}

function isIn({ code }: SmtpAnswer, hundred: number): boolean {
  return code !== null && code >= hundred * 100 && code < (hundred + 1) * 100;
}
