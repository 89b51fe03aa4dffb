import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fateOf, openRecipientsOf, type Recipient, type SmtpAnswer } from '../../../src/domain/email/fate.ts';

const queued = (address: string): Recipient => ({ address, status: 'queued', response: null });
const ANSWERS: Record<string, SmtpAnswer> = {
  ok: { code: 250, text: '250 taken' },
  later: { code: 451, text: '451 later' },
  no: { code: 550, text: '550 no' },
  cut: { code: null, text: 'ECONNECTION' },
};

describe('the fate of an email', () => {
  type Case = [
    title: string,
    message: string,
    not_taken: Record<string, string>,
    status: string,
    a: string,
    b: string,
  ];
  const CASES: Case[] = [
    ['both addresses taken', 'ok', {}, 'sent', 'sent', 'sent'],
    ['one address refused', 'ok', { b: 'no' }, 'sent', 'sent', 'refused'],
    [
      'one address later: nothing is tried again after a 250',
      'ok',
      { b: 'later' },
      'sent',
      'sent',
      'refused',
    ],
    ['both addresses refused', 'no', { a: 'no', b: 'no' }, 'refused', 'refused', 'refused'],
    ['one refused, one later', 'later', { a: 'no', b: 'later' }, 'queued', 'refused', 'queued'],
    ['the message refused', 'no', {}, 'refused', 'refused', 'refused'],
    ['the message later', 'later', {}, 'queued', 'queued', 'queued'],
    ['the message later, one address refused', 'later', { b: 'no' }, 'queued', 'queued', 'refused'],
    ['a line that is cut', 'cut', {}, 'queued', 'queued', 'queued'],
    ['a line that is cut behind a refused address', 'cut', { a: 'no' }, 'queued', 'refused', 'queued'],
  ];
  for (const [title, message, refused, status, ...statuses] of CASES)
    it(`${title}: ${status}`, () => {
      const not_taken = new Map(Object.entries(refused).map(([address, key]) => [address, ANSWERS[key]!]));
      const fate = fateOf([queued('a'), queued('b')], { message: ANSWERS[message]!, not_taken });
      assert.equal(fate.status, status);
      assert.deepEqual(
        fate.to.map((recipient) => recipient.status),
        statuses,
      );
      const texts = ['a', 'b'].map((address) => ANSWERS[refused[address] ?? message]!.text);
      assert.deepEqual(
        fate.to.map(({ response }) => response),
        texts,
      );
    });

  it('an address that was refused stays so, and is not tried again', () => {
    const to: Recipient[] = [{ address: 'a', status: 'refused', response: '550 no' }, queued('b')];
    assert.deepEqual(openRecipientsOf(to), ['b']);
    const sent = fateOf(to, { message: ANSWERS['ok']!, not_taken: new Map() });
    assert.deepEqual(sent, {
      status: 'sent',
      to: [to[0], { ...to[1], status: 'sent', response: '250 taken' }],
    });
    assert.equal(fateOf(to, { message: ANSWERS['no']!, not_taken: new Map() }).status, 'refused');
  });

  it('after any answers is sent with an address that got it, refused with none left, or has one to try', () => {
    const anAnswer = fc.constantFrom(...Object.values(ANSWERS));
    const notOk = fc.constantFrom(ANSWERS['later']!, ANSWERS['no']!, ANSWERS['cut']!);
    const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    fc.assert(
      fc.property(
        some,
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), notOk),
        anAnswer,
        (names, refused, message) => {
          const { status, to } = fateOf(names.map(queued), {
            message,
            not_taken: new Map(Object.entries(refused)),
          });
          const has = (wanted: string) => to.some((recipient) => recipient.status === wanted);
          assert.deepEqual(
            { sent: has('sent'), queued: has('queued') },
            { sent: status === 'sent', queued: status === 'queued' },
          );
        },
      ),
    );
  });
});
